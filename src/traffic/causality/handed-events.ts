/** The events that an exchange hands over or acknowledges, whatever shape the capability gives them. */
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
  /** What it is about: kinds and ids. */
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

/** In one list as in one body: a member is an event, and so is a body that is no list. */
const memberOf = (frames: readonly Frame[]): number => (frames[0]?.list ? frames[0].index : 0)

const aboutKinds: ReadonlySet<string> = new Set(entityKinds)

/** In the order in which they stand; none for an exchange that hands nothing over. */
export function handedIn(exchange: Exchange): readonly HandedEvent[] {
  const { operation, request, reply } = exchange
  if (operation === undefined) return []
  const polled = isPoll(exchange)
  if (!polled && !handsOver(operation)) return []
  const body = polled ? reply?.body : request.body
  const drafts: Draft[] = []
  editJson(body ?? '', (frames, value, isNumber) => {
    if (isNumber) return undefined
    const place = memberOf(frames)
    const draft = (drafts[place] ??= { type: '', about: [] })
    const { kind } = kindAt(frames, operation)
    if (kind === 'event') draft.id ??= value
    else if (kind !== undefined && aboutKinds.has(kind)) draft.about.push(`${kind} ${value}`)
    else if (keyOf(frames) === 'eventType') draft.type = value
    return undefined
  })
  return drafts.filter((draft) => draft !== undefined)
}
