/** A recorded call of the subject that can answer a live one, and where it is looked for. */
import { operation, type OperationId } from '../../protocol/catalogue.ts'
import type { Exchange } from '../exchange.ts'
import type { RecordedExchange } from '../recording/recorded-exchange.ts'
import type { Epoch } from './entity-versions.ts'

export interface Slot {
  readonly recorded: RecordedExchange
  readonly epoch: Epoch
  used: boolean
}

/** What is called: the operation, or for a path that the protocol does not know the method and the path. */
export const calledOf = ({ operation: id, request }: Exchange): string =>
  id ?? `${request.method} ${pathOf(request.url)}`

/** The path of a URL without its query; of one that cannot be read, all of it. */
export const pathOf = (url: string): string =>
  /^[a-z][a-z0-9+.-]*:\/\/[^/?#]*([^?#]*)/i.exec(url)?.[1] ?? url

/** The names in the path of an operation; each is looked for in every call. */
const namesOf = new Map<OperationId, readonly string[]>()

function namesIn(id: OperationId): readonly string[] {
  const known = namesOf.get(id)
  if (known) return known
  const names = [...operation(id).path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
  namesOf.set(id, names)
  return names
}

/** Which one of the kind: by the role that answers and the names in its path. */
export function laneOf({ operation: id, params, to }: Exchange): string {
  let lane: string = to.role
  if (id !== undefined) for (const name of namesIn(id)) lane += ` ${params?.[name] ?? ''}`
  return lane
}

/** It came to no answer, or to one that a later attempt put right. */
export const failed = ({ reply, failure }: Exchange): boolean =>
  !reply ||
  failure !== undefined ||
  reply.status >= 500 ||
  reply.status === 429 ||
  reply.status === 408
