/** Forms of V1 in the calls of a Software Service: its paths, bodies, and calls that V2 has not. */
import { type Check, defineChecks } from '../check.ts'
import { isUnknownRecord } from '../../../protocol/unknown-record.ts'
import {
  answersOf,
  callsOf,
  type Deviation,
  each,
  hasStatus,
  successful,
  where,
} from '../assertion.ts'
import type { Observed } from '../trace.ts'
import { noCallTo } from '../transport/migration-assertions.ts'

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

export const v1CallForms = defineChecks(served, {
  'TRN-CON-05': {
    assertion: each(
      businessCalls,
      ({ url }) => url.pathname.startsWith('/v1/') && 'it calls below /v1',
    ),
    remedy:
      'Append paths to the base URL of the manifest (capabilities.orders endpoint), not to /v1.',
  },
  'ORD-OPS-02': {
    assertion: each(callsOf('acknowledgeEventsV1'), acknowledgesIds),
    remedy: 'Acknowledge events with { "eventIds": […] }.',
  },
  'ORD-OPS-03': {
    assertion: each(successful(answersOf('receiveOrderEventV1')), hasStatus(204)),
    remedy: 'Answer events of the webhook with 204.',
  },
  'ORD-OPS-05': {
    assertion: each(callsOf('confirmOrderV1'), confirmsAsV2),
    remedy: 'Confirm with estimatedPreparationTimeMinutes, or without a body.',
  },
  'ORD-OPS-07': {
    assertion: each(
      readyCalls,
      ({ url }) => url.pathname.endsWith('/readyForPickup') && 'it calls /readyForPickup',
    ),
    remedy: 'Call /ready-for-pickup.',
  },
  'MIG-ORD-01': {
    assertion: noCallTo(
      /\/(acceptCancellation|denyCancellation)$/,
      'the handshake of a cancellation',
    ),
    remedy: 'Take CANCELLED as final; V2 has no acceptCancellation and no denyCancellation.',
  },
  'MIG-ORD-03 MIG-ORD-11': {
    assertion: noCallTo(/\/pickedUp$/, 'pickedUp'),
    remedy: 'Report by delivered that a takeout was fetched; V2 has no pickedUp.',
  },
})
