/** Forms of V1 in the calls of a Software Service: its paths, bodies, and calls that V2 has not. */
import type { OperationId } from '../../../core/protocol/catalogue.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
import { missingCall, wrongCall, wrongReply } from '../../judge/defect.ts'
import {
  answersOf,
  callsOf,
  type Deviation,
  each,
  hasStatus,
  successful,
  where,
} from '../../judge/look.ts'
import type { Observed } from '../../judge/trace.ts'
import { noCallTo } from '../transport/migration-looks.ts'
import type { V1Form } from './v1-forms.ts'

const served = {
  roles: ['software-service'],
  procedures: ['v1-served-orders'],
} as const satisfies Pick<V1Form, 'roles' | 'procedures'>

/** Calls but token requests, also those at addresses that V1 has not. */
const businessCalls = where(callsOf(), ({ operation }) => operation !== 'issueToken')
const readyCalls = where(callsOf(), ({ url }) =>
  /\/(readyForPickup|ready-for-pickup)$/.test(url.pathname),
)

const endsWith = (ending: string) => (request: Request) =>
  new URL(request.url).pathname.endsWith(ending)

const handshakes: readonly OperationId[] = ['acceptCancellationV1', 'denyCancellationV1']

function acknowledgesIds({ request }: Observed): Deviation {
  return isUnknownRecord(request) && Array.isArray(request['eventIds'])
    ? undefined
    : 'it acknowledges by a list of events, not by eventIds'
}

function confirmsAsV2({ request }: Observed): Deviation {
  const members = ['orderExternalCode', 'preparationTime', 'createdAt'].filter(
    (name) => isUnknownRecord(request) && name in request,
  )
  return members.length === 0 ? undefined : `it confirms with ${members.join(', ')}`
}

export const v1CallForms: readonly V1Form[] = [
  {
    ...served,
    clauses: ['TRN-CON-05'],
    look: each(businessCalls, ({ url }) =>
      url.pathname.startsWith('/v1/') ? 'it calls below /v1' : undefined,
    ),
    remedy:
      'Append paths to the base URL of the manifest (capabilities.orders endpoint), not to /v1.',
    migrated: wrongCall(
      'calls without /v1',
      (request) => new URL(request.url).pathname.startsWith('/v1/'),
      (request) => {
        request.url = request.url.replace('/v1/', '/')
      },
    ),
  },
  {
    ...served,
    clauses: ['ORD-OPS-02'],
    look: each(callsOf('acknowledgeEventsV1'), acknowledgesIds),
    remedy: 'Acknowledge events with { "eventIds": […] }.',
    migrated: wrongCall('acknowledges by eventIds', 'acknowledgeEvents', (request) => {
      request.body = { eventIds: Array.isArray(request.body) ? request.body.map(eventIdIn) : [] }
    }),
  },
  {
    ...served,
    clauses: ['ORD-OPS-03'],
    look: each(successful(answersOf('receiveOrderEventV1')), hasStatus(204)),
    remedy: 'Answer events of the webhook with 204.',
    migrated: wrongReply('answers events with 204', 'receiveOrderEventV1', (reply) => {
      if (reply.status === 200) reply.status = 204
    }),
  },
  {
    ...served,
    clauses: ['ORD-OPS-05'],
    look: each(callsOf('confirmOrderV1'), confirmsAsV2),
    remedy: 'Confirm with estimatedPreparationTimeMinutes, or without a body.',
    migrated: wrongCall('confirms as in V2', 'confirmOrder', (request) => {
      request.body = { estimatedPreparationTimeMinutes: 20 }
    }),
  },
  {
    ...served,
    clauses: ['ORD-OPS-07'],
    look: each(readyCalls, ({ url }) =>
      url.pathname.endsWith('/readyForPickup') ? 'it calls /readyForPickup' : undefined,
    ),
    remedy: 'Call /ready-for-pickup.',
    migrated: wrongCall('calls /ready-for-pickup', endsWith('/readyForPickup'), (request) => {
      request.url = request.url.replace('readyForPickup', 'ready-for-pickup')
    }),
  },
  {
    ...served,
    clauses: ['MIG-ORD-01'],
    look: noCallTo(/\/(acceptCancellation|denyCancellation)$/, 'the handshake of a cancellation'),
    remedy: 'Take CANCELLED as final; V2 has no acceptCancellation and no denyCancellation.',
    migrated: missingCall('takes part in no handshake', handshakes),
  },
  {
    ...served,
    clauses: ['MIG-ORD-03', 'MIG-ORD-11'],
    look: noCallTo(/\/pickedUp$/, 'pickedUp'),
    remedy: 'Report by delivered that a takeout was fetched; V2 has no pickedUp.',
    migrated: missingCall('does not call pickedUp', 'setOrderPickedUpV1'),
  },
]

const eventIdIn = (entry: unknown): unknown => (isUnknownRecord(entry) ? entry['id'] : undefined)
