export { type Admission, type CallSign, type Closed, createGates, freeAdmission, type Gates, type GatesOptions } from './gates';
