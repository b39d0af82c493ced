export { grantServiceRoles, roleOf, type ServiceRole } from './grant-service-roles';
export type { TableGroupName } from './table-groups';
