/** A recorded call of the subject that may answer a live one, and its index keys. */
import { operation, type OperationId } from '../../protocol/catalogue.ts'
import type { Exchange } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import type { EntityVersion } from './entity-versions.ts'
import { memoise } from '../memoise.ts'

export interface MatchCandidate {
  readonly recorded: RecordedExchange
  readonly version: EntityVersion
  used: boolean
}

/** The operation; for an unknown path, method and path. */
export const calledOperation = ({ operation: id, request }: Exchange): string =>
  id ?? `${request.method} ${pathWithoutQuery(request.url)}`

/** The path of a URL without query; the whole text when it cannot be parsed. */
export const pathWithoutQuery = (url: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? url

const pathParameters = memoise(1000, (id: OperationId): readonly string[] =>
  [...operation(id).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
)

/** The lane of a call: answering role and path parameters. */
export function callLane({ operation: id, params, to }: Exchange): string {
  let lane: string = to.role
  if (id !== undefined) for (const name of pathParameters(id)) lane += ` ${params?.[name] ?? ''}`
  return lane
}

/** Without a reply, or with a status that a retry may overcome: 5xx, 429, 408. */
export const isFailedExchange = ({ reply, failure }: Exchange): boolean =>
  !reply ||
  failure !== undefined ||
  reply.status >= 500 ||
  reply.status === 429 ||
  reply.status === 408
