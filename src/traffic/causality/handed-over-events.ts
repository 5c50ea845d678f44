/** The events that an exchange hands over, in the shape of any capability. */
import { operation as rowOf } from '../../protocol/catalogue.ts'
import { editJson, type JsonPathFrame } from '../correlation/edit-json.ts'
import { meaningAt } from '../correlation/field-meaning.ts'
import { innermostKey } from '../correlation/shift-times.ts'
import type { Exchange } from '../exchange.ts'
import { isPollCall } from '../polling.ts'
import { exchangeEntityKinds } from './entities.ts'

export interface HandedOverEvent {
  readonly id?: string
  readonly type: string
  /** Its entities, as `kind id`. */
  readonly about: readonly string[]
}

const handsOver = (operation: NonNullable<Exchange['operation']>): boolean => {
  const { webhook, handler: behind, id } = rowOf(operation)
  return webhook !== undefined || behind.name === 'loyalty.receive' || /^receive\w*Event/.test(id)
}

interface Draft {
  id?: string
  type: string
  about: string[]
}

/** Index of the event: its position in a list, 0 for a single event. */
const eventIndex = (frames: readonly JsonPathFrame[]): number =>
  frames[0]?.list ? frames[0].index : 0

const entityKindSet: ReadonlySet<string> = new Set(exchangeEntityKinds)

/** In the order of the body; none for an exchange that hands nothing over. */
export function extractHandedOverEvents(exchange: Exchange): readonly HandedOverEvent[] {
  const { operation, request, reply } = exchange
  if (operation === undefined) return []
  const polled = isPollCall(exchange)
  if (!polled && !handsOver(operation)) return []
  const body = polled ? reply?.body : request.body
  const drafts: Draft[] = []
  editJson(body ?? '', (frames, value, isNumber) => {
    if (isNumber) return undefined
    const place = eventIndex(frames)
    const draft = (drafts[place] ??= { type: '', about: [] })
    const { kind } = meaningAt(frames, operation)
    if (kind === 'event') draft.id ??= value
    else if (kind !== undefined && entityKindSet.has(kind)) draft.about.push(`${kind} ${value}`)
    else if (innermostKey(frames) === 'eventType') draft.type = value
    return undefined
  })
  return drafts.filter((draft) => draft !== undefined)
}
