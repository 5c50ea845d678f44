/** Which exchanges of an index are wanted, told from its columns alone. */
import type { Party } from '../../traffic/exchange.ts'

export interface IndexFilter {
  /** Of one operation, or of several. */
  readonly operation?: string | readonly string[]
  /** About one order. */
  readonly order?: string
  /** 404, a hundred such as `4xx`, or `none` where nobody answered. */
  readonly status?: number | `${1 | 2 | 3 | 4 | 5}xx` | 'none'
  /** A role, or a side: who called, or was called. */
  readonly party?: Party['role'] | Party['party']
  /** As it stands in a URL, a header or a body; letters as they are. */
  readonly text?: string
}

/** Who calls whom with what. */
export interface Place {
  readonly from: Party
  readonly to: Party
  /** As the recording names it, whether the protocol knows it or not. */
  readonly operation: string | undefined
}

/** The places that a filter lets through: they are few, the exchanges are many. */
export function placesFor(
  { operation, party }: IndexFilter,
  places: readonly Place[],
): Uint8Array | undefined {
  if (operation === undefined && party === undefined) return undefined
  const wanted = operation === undefined ? undefined : new Set([operation].flat())
  return Uint8Array.from(places, ({ from, to, operation: id }) => {
    const isNamed = !wanted || (id !== undefined && wanted.has(id))
    const isParty =
      party === undefined || [from.role, from.party, to.role, to.party].includes(party)
    return isNamed && isParty ? 1 : 0
  })
}

/** The least and the most status that fit; undefined when any does. */
export function statusRange(status: IndexFilter['status']): readonly [number, number] | undefined {
  if (status === undefined) return undefined
  if (status === 'none') return [0, 0]
  if (typeof status === 'number') return [status, status]
  const hundred = Number(status[0]) * 100
  return [hundred, hundred + 99]
}
