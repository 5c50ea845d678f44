/** Entities beside orders, by kind: rows and details. */
import type { World } from '../engine/world.ts'
import type {
  EntityDetail,
  EntityKind,
  EntityRow,
  Snapshot,
  View,
} from '../session-api/session-api.ts'
import { accounts } from './accounts.ts'
import { customers, leads, reviews } from './customers.ts'
import { deliveries } from './deliveries.ts'
import type { EntityLook, Scene } from './entity-look.ts'
import { coupons, loyaltyAccounts } from './loyalty.ts'

const looks: Readonly<Record<EntityKind, EntityLook>> = {
  account: accounts,
  delivery: deliveries,
  customer: customers,
  lead: leads,
  review: reviews,
  'loyalty-account': loyaltyAccounts,
  coupon: coupons,
}

/** Newest first. */
export function entityRows(
  world: World,
  scene: Scene,
  { kind, limit, offset = 0, status }: NonNullable<View['entities']>,
): Pick<Snapshot, 'entities' | 'entityCount'> {
  const rows: EntityRow[] = []
  for (const row of looks[kind].rows(world, scene))
    if (status === undefined || row.status === status) rows.push(row)
  const entities = rows.toReversed().slice(offset, offset + limit)
  return { entities, entityCount: rows.length }
}

export const entityDetail = (
  world: World,
  scene: Scene,
  { kind, id }: NonNullable<View['entity']>,
): EntityDetail | undefined => looks[kind].detail(id, world, scene)
