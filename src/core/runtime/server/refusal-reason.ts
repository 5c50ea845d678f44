/** Why a host refused a request of the user's service, for the traffic log: nothing of it is in the protocol's answer. */
import { refusedRequestReason } from '../../rules/diagnosis/requests/catalogue.ts'
import type { RefusedRequest } from '../../rules/diagnosis/requests/refused-request.ts'
import type { CatalogueRow } from '../../protocol/catalogue.ts'
import type { Role } from '../../protocol/role.ts'
import type { Engine } from '../../engine/engine.ts'
import type { Refusal } from '../../engine/refusal.ts'
import type { IncomingRequest } from './messages.ts'
import type { OperationRoute } from './route-index.ts'

export interface RefusalReasonOptions {
  readonly engine: Engine
  readonly role: Role
  readonly served: readonly CatalogueRow[]
  /** The base URL of a role that we play. */
  readonly urlOf: (role: Role) => string
}

/** Path and query of a request. */
export interface RequestTarget {
  readonly path: string
  readonly query: string
}

/** Path and query of the target as the request line has it. */
export function splitTarget(target: string): RequestTarget {
  const mark = target.indexOf('?')
  return mark === -1
    ? { path: target, query: '' }
    : { path: target.slice(0, mark), query: target.slice(mark + 1) }
}

export const createRefusalReason =
  ({ engine, role, served, urlOf }: RefusalReasonOptions) =>
  (
    request: IncomingRequest,
    { path, query }: RequestTarget,
    refusal: Pick<Refusal, 'code' | 'message' | 'unmet'>,
    route?: OperationRoute,
  ): string => {
    const { method, header, body } = request
    const { settings, world } = engine
    const refused: RefusedRequest = {
      host: role,
      method,
      path,
      query,
      header,
      body,
      refusal,
      ...(route ? { row: route.row } : {}),
      params: route?.params ?? {},
      served,
      settings,
      world,
      now: engine.now(),
      urlOf,
    }
    return refusedRequestReason(refused)
  }
