import type { ObjectType } from '../model/object-types';

/** Emails are compared and stored trimmed and lower-cased. */
export const normaliseEmail = (email: string): string => email.trim().toLowerCase();

/** Values as unique indexes hold them. */
export const uniqueKey = (type: ObjectType, property: string, value: string): string =>
  property === 'email' && type.id === '0-1' ? normaliseEmail(value) : value.trim();
