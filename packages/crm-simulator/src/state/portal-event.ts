/** A change of a portal's data on its way to the journal. Times are epoch ms. */
export type PortalEvent =
  | {
    readonly kind: 'object';
    readonly action: 'CREATE' | 'UPDATE' | 'DELETE' | 'MERGE' | 'RESTORE' | 'GDPR_DELETE' | 'SNAPSHOT';
    readonly objectTypeId: string;
    readonly objectId: string;
    readonly at: number;
    readonly changes: Readonly<Record<string, string | null>>;
    readonly mergedObjectIds?: readonly string[];
  }
  | {
    readonly kind: 'association';
    readonly action: 'ASSOCIATION_ADDED' | 'ASSOCIATION_REMOVED';
    readonly at: number;
    readonly fromTypeId: string;
    readonly fromId: string;
    readonly toTypeId: string;
    readonly toId: string;
    readonly typeId: number;
    readonly category: string;
    readonly isPrimary: boolean;
  };
