import type { MemberRefusal } from '@sluice/ports';
import { apiError, type HttpError } from '@sluice/service-kit';

export const memberRefusal = ({ reason }: MemberRefusal): HttpError => apiError(reason === 'not_found' ? 'Not Found' : reason);
