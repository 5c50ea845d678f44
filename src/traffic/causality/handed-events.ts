/** The events that an exchange hands over, in the shape of any capability. */
import { operation as rowOf } from '../../protocol/catalogue.ts'
import { editJson, type Frame } from '../correlation/json-text.ts'
import { kindAt } from '../correlation/kinds.ts'
import { keyOf } from '../correlation/times.ts'
import type { Exchange } from '../exchange.ts'
import { isPoll } from '../polling.ts'
import { entityKinds } from './entities.ts'

export interface HandedEvent {
  readonly id?: string
  readonly type: string
  /** Its entities, as `kind id`. */
  readonly about: readonly string[]
}

const handsOver = (operation: NonNullable<Exchange['operation']>): boolean => {
  const { webhook, behind, id } = rowOf(operation)
  return webhook !== undefined || behind.name === 'loyalty.receive' || /^receive\w*Event/.test(id)
}

interface Draft {
  id?: string
  type: string
  about: string[]
}

/** Index of the event: its position in a list, 0 for a single event. */
const eventIndex = (frames: readonly Frame[]): number => (frames[0]?.list ? frames[0].index : 0)

const entityKindSet: ReadonlySet<string> = new Set(entityKinds)

/** In the order of the body; none for an exchange that hands nothing over. */
export function handedIn(exchange: Exchange): readonly HandedEvent[] {
  const { operation, request, reply } = exchange
  if (operation === undefined) return []
  const polled = isPoll(exchange)
  if (!polled && !handsOver(operation)) return []
  const body = polled ? reply?.body : request.body
  const drafts: Draft[] = []
  editJson(body ?? '', (frames, value, isNumber) => {
    if (isNumber) return undefined
    const place = eventIndex(frames)
    const draft = (drafts[place] ??= { type: '', about: [] })
    const { kind } = kindAt(frames, operation)
    if (kind === 'event') draft.id ??= value
    else if (kind !== undefined && entityKindSet.has(kind)) draft.about.push(`${kind} ${value}`)
    else if (keyOf(frames) === 'eventType') draft.type = value
    return undefined
  })
  return drafts.filter((draft) => draft !== undefined)
}
