/** The dialect catalogue: all dialects, looked up by name. */
import type { Dialect } from './dialect.ts'
import { openDeliveryV2 } from './opendelivery-v2.ts'
import { deliverooPace, foody, ifoodPace, uberEatsPace } from './paces.ts'
import {
  cardapioWeb,
  deliveryDireto,
  edgeRouter,
  food99,
  keeta,
  loocal,
  pedizap,
  pushHub,
  v1,
} from './v1.ts'

const all = [
  openDeliveryV2,
  v1,
  keeta,
  food99,
  pedizap,
  loocal,
  foody,
  cardapioWeb,
  deliveryDireto,
  pushHub,
  edgeRouter,
  ifoodPace,
  uberEatsPace,
  deliverooPace,
] as const

export type DialectName = (typeof all)[number]['name']

export const dialects: readonly (Dialect & { readonly name: DialectName })[] = all

export const dialectNames = all.map(({ name }) => name) as [DialectName, ...DialectName[]]

/** A dialect that ships, by its name, or one of the user's own. */
export type DialectChoice = DialectName | Dialect

export function dialect(name: DialectChoice): Dialect {
  if (typeof name === 'object') return name
  const found = dialects.find((each) => each.name === name)
  if (!found) throw new Error(`there is no dialect ${name}`)
  return found
}
