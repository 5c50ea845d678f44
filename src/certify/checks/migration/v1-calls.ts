/** Forms of V1 in the calls of a Software Service: its paths, bodies, and calls that V2 has not. */
import type { Check } from '../../judge/check.ts'
import { isUnknownRecord } from '../../../core/protocol/unknown-record.ts'
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

const served = {
  roles: ['software-service'],
  procedures: ['v1-served-orders'],
} as const satisfies Pick<Check, 'roles' | 'procedures'>

/** Calls but token requests, also those at addresses that V1 has not. */
const businessCalls = where(callsOf(), ({ operation }) => operation !== 'issueToken')
const readyCalls = where(callsOf(), ({ url }) =>
  /\/(readyForPickup|ready-for-pickup)$/.test(url.pathname),
)

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

export const v1CallForms: readonly Check[] = [
  {
    ...served,
    clauses: ['TRN-CON-05'],
    look: each(businessCalls, ({ url }) =>
      url.pathname.startsWith('/v1/') ? 'it calls below /v1' : undefined,
    ),
    remedy:
      'Append paths to the base URL of the manifest (capabilities.orders endpoint), not to /v1.',
  },
  {
    ...served,
    clauses: ['ORD-OPS-02'],
    look: each(callsOf('acknowledgeEventsV1'), acknowledgesIds),
    remedy: 'Acknowledge events with { "eventIds": […] }.',
  },
  {
    ...served,
    clauses: ['ORD-OPS-03'],
    look: each(successful(answersOf('receiveOrderEventV1')), hasStatus(204)),
    remedy: 'Answer events of the webhook with 204.',
  },
  {
    ...served,
    clauses: ['ORD-OPS-05'],
    look: each(callsOf('confirmOrderV1'), confirmsAsV2),
    remedy: 'Confirm with estimatedPreparationTimeMinutes, or without a body.',
  },
  {
    ...served,
    clauses: ['ORD-OPS-07'],
    look: each(readyCalls, ({ url }) =>
      url.pathname.endsWith('/readyForPickup') ? 'it calls /readyForPickup' : undefined,
    ),
    remedy: 'Call /ready-for-pickup.',
  },
  {
    ...served,
    clauses: ['MIG-ORD-01'],
    look: noCallTo(/\/(acceptCancellation|denyCancellation)$/, 'the handshake of a cancellation'),
    remedy: 'Take CANCELLED as final; V2 has no acceptCancellation and no denyCancellation.',
  },
  {
    ...served,
    clauses: ['MIG-ORD-03', 'MIG-ORD-11'],
    look: noCallTo(/\/pickedUp$/, 'pickedUp'),
    remedy: 'Report by delivered that a takeout was fetched; V2 has no pickedUp.',
  },
]
