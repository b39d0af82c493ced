import type { OrderRow } from '@sluice/ports';

export const orderView = ({ id, status, url, tier, interval }: OrderRow) => ({ order_id: id, status, url, tier, interval });
