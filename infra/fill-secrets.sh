#!/bin/sh
# Fills a template with generated secrets: `<hex>` becomes 48 random hexadecimal digits, `<key>` a key of 32 bytes in base64.
#   sh infra/fill-secrets.sh < .env.example > .env
# Services refuse the marks, and every value that the documents show.
set -eu
umask 077
hex() { head -c 24 /dev/urandom | od -An -tx1 | tr -d ' \n'; }
key() { head -c 32 /dev/urandom | base64 | tr -d '\n'; }
while IFS= read -r line || [ -n "$line" ]; do
  case $line in
    '#'*) printf '%s\n' "$line" ;;
    *'<hex>') printf '%s%s\n' "${line%<hex>}" "$(hex)" ;;
    *'<key>') printf '%s%s\n' "${line%<key>}" "$(key)" ;;
    *) printf '%s\n' "$line" ;;
  esac
done
