/** A user of a portal who can own records. */
export interface Owner {
  readonly id: string;
  readonly userId: number;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly createdAt: number;
  readonly archived: boolean;
}

/** Every portal starts with one owner. */
export const startingOwner = (portalId: number, now: number): Owner => ({
  id: '70001',
  userId: 80001,
  email: `owner@portal-${portalId}.example.com`,
  firstName: 'Olivia',
  lastName: 'Owner',
  createdAt: now,
  archived: false,
});
