/** Filter on the columns of an index. */
import type { Party } from '../../traffic/exchange.ts'

export interface IndexFilter {
  /** One operation, or several. */
  readonly operation?: string | readonly string[]
  /** Order id. */
  readonly order?: string
  /** 404, a class such as `4xx`, or `none` for no reply. */
  readonly status?: number | `${1 | 2 | 3 | 4 | 5}xx` | 'none'
  /** A role or party, as caller or callee. */
  readonly party?: Party['role'] | Party['party']
  /** Text in a URL, a header or a body; case-sensitive. */
  readonly text?: string
}

/** Caller, callee and operation of an exchange. */
export interface CallRoute {
  readonly from: Party
  readonly to: Party
  /** As named in the recording, known to the protocol or not. */
  readonly operation: string | undefined
}

/** Bitmap of the matching call routes: there are few routes and many exchanges. */
export function matchingRoutes(
  { operation, party }: IndexFilter,
  places: readonly CallRoute[],
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

/** Minimum and maximum matching status; undefined when any matches. */
export function statusRange(status: IndexFilter['status']): readonly [number, number] | undefined {
  if (status === undefined) return undefined
  if (status === 'none') return [0, 0]
  if (typeof status === 'number') return [status, status]
  const hundred = Number(status[0]) * 100
  return [hundred, hundred + 99]
}
