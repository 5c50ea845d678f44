/** Entities beside orders, by kind: rows and details. */
import type { World } from '../engine/world.ts'
import type {
  EntityDetail,
  EntityKind,
  EntityRow,
  Snapshot,
  View,
} from '../session-api/session-api.ts'
import { accountEntities } from './accounts.ts'
import { customerEntities, leadEntities, reviewEntities } from './customers.ts'
import { deliveryEntities } from './deliveries.ts'
import type { EntityView, ViewContext } from './entity-view.ts'
import { couponEntities, loyaltyAccountEntities } from './loyalty.ts'

const looks: Readonly<Record<EntityKind, EntityView>> = {
  account: accountEntities,
  delivery: deliveryEntities,
  customer: customerEntities,
  lead: leadEntities,
  review: reviewEntities,
  'loyalty-account': loyaltyAccountEntities,
  coupon: couponEntities,
}

/** Newest first. */
export function entityRows(
  world: World,
  scene: ViewContext,
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
  scene: ViewContext,
  { kind, id }: NonNullable<View['entity']>,
): EntityDetail | undefined => looks[kind].detail(id, world, scene)
