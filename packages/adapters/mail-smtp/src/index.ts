export { createSmtpMailSender, type SmtpMailSenderOptions } from './create-smtp-mail-sender';
