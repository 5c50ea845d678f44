/** What an exchange is called on the page: names of parties and of the call, its end, and what is wrong with it. */
import { clockOf } from '../../../core/engine/instant.ts'
import { extractHandedOverEvents } from '../../../core/traffic/entities/entities.ts'
import { fullRoleName, shortRoleName } from '../../../core/protocol/role.ts'
import { type Exchange, type Party, wallDurationMs } from '../../../core/traffic/exchange.ts'
import { failureKindOf } from '../../../core/traffic/failed-requests.ts'
import { plainReason } from '../../../core/traffic/stated-reason.ts'

/** One side of the wire, as a key. */
export const partyKey = ({ party, role }: Party): string => `${party} ${role}`

const playerOf: Readonly<Record<Party['party'], string>> = {
  subject: 'your service',
  sparring: 'Sparring',
  partner: 'the partner',
}

/** `Software Service`, and who plays it: `your service`. */
export const partyNames = ({ party, role }: Party): readonly [role: string, player: string] => [
  fullRoleName[role],
  playerOf[party],
]

/** Longer than this is marked as late, in milliseconds. */
const lateMs = 1000

export const isLateReply = (exchange: Exchange): boolean => wallDurationMs(exchange) >= lateMs

export const hasFailed = (exchange: Exchange): boolean => failureKindOf(exchange) !== undefined

/** It failed, a fault distorted it, or it is probably a mistake. */
export const isRemarkable = (exchange: Exchange): boolean =>
  hasFailed(exchange) ||
  exchange.fault !== undefined ||
  exchange.advice !== undefined ||
  exchange.note !== undefined

/** `14 ms`, `1.2 s`, `3 min 20 s`. */
export function elapsedText(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60]
  return hours > 0 ? `${hours} h ${minutes} min` : `${minutes} min ${seconds % 60} s`
}

export const pathOfUrl = (url: string): string => {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start === -1 ? '/' : url.slice(start)
}

/** The status, or why there is no whole reply. */
export const endText = ({ reply, failure }: Exchange): string =>
  failure?.code ?? (reply ? String(reply.status) : 'no reply')

/** Event types of one call that are named; a poll may bring hundreds. */
const maxNamedTypes = 3

/** The types of the events that an exchange hands over: `CREATED, CONFIRMED`; an empty text for none. */
export function eventTypesText(exchange: Exchange): string {
  const types = extractHandedOverEvents(exchange).map(({ type }) => type || 'event')
  const more = types.length > maxNamedTypes ? ` and ${types.length - maxNamedTypes} more` : ''
  return `${types.slice(0, maxNamedTypes).join(', ')}${more}`
}

/** The operation, or method and path of a call that the protocol does not define. */
export const operationOrPath = ({ operation, request }: Exchange): string =>
  operation ?? `${request.method} ${pathOfUrl(request.url)}`

/** `#12 12:00:03.120 SS > OA POST /orders/o-1/confirm 202`, with what is wrong with it. */
export function exchangeTitle(exchange: Exchange): string {
  const { seq, startedAt, from, to, request } = exchange
  const late = isLateReply(exchange) ? [`after ${elapsedText(wallDurationMs(exchange))}`] : []
  return [
    `#${seq}`,
    clockOf(startedAt),
    `${shortRoleName[from.role]} > ${shortRoleName[to.role]}`,
    `${request.method} ${pathOfUrl(request.url)}`,
    endText(exchange),
    ...late,
  ].join(' ')
}

/** What is remarkable about an exchange: its fault, why it failed, what is probably wrong. */
export const exchangeNotes = (exchange: Exchange): readonly string[] => {
  const { fault, advice, note, resendOf, attempt } = exchange
  const reason = hasFailed(exchange) ? (exchange.reason ?? plainReason(exchange)) : undefined
  return [
    ...(fault === undefined ? [] : [`fault: ${fault}`]),
    ...(reason === undefined ? [] : [reason]),
    ...(advice === undefined ? [] : [advice]),
    ...(note === undefined ? [] : [`note: ${note}`]),
    ...(attempt === undefined || attempt < 2 ? [] : [`attempt ${attempt}`]),
    ...(resendOf === undefined ? [] : [`#${resendOf} sent again by hand`]),
  ]
}
