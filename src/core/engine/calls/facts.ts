/** Facts about outgoing calls, and about the counterparts that are called: `call.…`, `partner.…`. */
import type { ListedMerchant } from '../../protocol/auth/merchants.ts'
import type { ParsedManifest } from '../../protocol/discovery/parse-manifest.ts'
import { type Role, shortRoleName } from '../../protocol/role.ts'
import { compact } from '../../base/compact.ts'
import { addBounded } from '../bounded.ts'
import { eventById } from '../command-row.ts'
import { listCount } from '../short-text.ts'
import { factRow } from '../fact-row.ts'
import { type ManifestProblem, partnerKey, type World, worldBounds } from '../world.ts'
import type { CallIntent, OutgoingCall } from './call.ts'

export interface CallConcluded {
  readonly call: OutgoingCall
  readonly outcome: string
  readonly ok: boolean
  /** The call will be retried. */
  readonly retry: boolean
  readonly retryAfterMs?: number
}

export interface CallingPair {
  /** The role that we play. */
  readonly from: Role
  readonly partner: Role
}

export interface ManifestRead extends CallingPair {
  readonly manifest: ParsedManifest
  /** Why there is none; `manifest` is the placeholder then. */
  readonly missing?: string
  /** Milliseconds until it is read again; never read again when absent. */
  readonly freshForMs?: number
}

export interface PartnerRejected extends CallingPair {
  readonly because: string
  readonly problem: ManifestProblem
  /** Attempts so far. */
  readonly attempt: number
}

const callText = ({ from, to, operation }: CallIntent): string =>
  `${shortRoleName[from]} > ${shortRoleName[to]} ${operation}`

const orderIdOfCall = (
  { call: { params, eventId = '' } }: { readonly call: CallIntent },
  world: World,
): string | undefined => params?.['orderId'] ?? eventById(eventId, world)?.orderId

function accept({ partners }: World, { from, partner, manifest, missing }: ManifestRead): void {
  const key = partnerKey(from, partner)
  const merchants = partners.get(key)?.merchants
  partners.set(key, {
    state: 'accepted',
    manifest,
    ...(missing === undefined ? {} : { because: missing, problem: 'missing' }),
    ...compact({ merchants }),
  })
}

export const callFacts = {
  /** A role that we play placed a call; it is in flight. */
  'call.placed': factRow<{ call: OutgoingCall }>({
    text: ({ call }) => callText(call),
    orderId: orderIdOfCall,
    apply(world, { call }) {
      world.calls.set(call.id, call)
      world.nextCallId = call.id + 1
    },
  }),
  /** A call ended. */
  'call.concluded': factRow<CallConcluded>({
    text: ({ call, outcome }) => `${callText(call)}: ${outcome}`,
    orderId: orderIdOfCall,
    apply({ calls }, { call }) {
      calls.delete(call.id)
    },
  }),
  /** A call was answered 2xx with a body that cannot be read: its caller goes on as if it had failed. */
  'call.unreadable': factRow<{ call: OutgoingCall; because: string }>({
    text: ({ call, because }) => `${callText(call)} has an answer that cannot be read: ${because}`,
    orderId: orderIdOfCall,
  }),
  /** A call was postponed: its receiver's manifest was valid once and is invalid now. */
  'call.postponed': factRow<{ call: CallIntent }>({
    text: ({ call }) => `${callText(call)} waits for a valid manifest`,
    orderId: orderIdOfCall,
    apply({ postponed }, { call }) {
      addBounded(postponed, call, worldBounds.postponed)
    },
  }),
  /** A counterpart's manifest is valid: the integration is active. */
  'partner.accepted': factRow<ManifestRead>({
    text: ({ from, partner, manifest, missing }) =>
      [
        missing === undefined
          ? `${shortRoleName[from]} accepts ${shortRoleName[partner]}: ${manifest.participantId}`
          : `${shortRoleName[from]} works with ${shortRoleName[partner]} without a manifest: ${missing}`,
        ...(manifest.notices ?? []),
      ].join('; '),
    apply: accept,
  }),
  /** Read again without a change; or it could not be read, and the last valid one still holds. */
  'partner.unchanged': factRow<CallingPair & { freshForMs?: number; because?: string }>({
    text: ({ from, partner, because = 'unchanged' }) =>
      `${shortRoleName[from]} read the manifest of ${shortRoleName[partner]} again: ${because}`,
  }),
  /** Read again with a change. */
  'partner.changed': factRow<ManifestRead>({
    text: ({ from, partner }) =>
      `${shortRoleName[from]} read another manifest of ${shortRoleName[partner]}`,
    apply: accept,
  }),
  /** Valid again after it was rejected: the postponed calls are made now. */
  'partner.restored': factRow<ManifestRead & { postponed: readonly CallIntent[] }>({
    text: ({ from, partner }) => `${shortRoleName[from]} accepts ${shortRoleName[partner]} again`,
    apply(world, fact) {
      accept(world, fact)
      for (const call of fact.postponed) world.postponed.delete(call)
    },
  }),
  /**
   * A counterpart's manifest is missing although one is required, invalid, or cannot be read: no business calls go
   * there.
   */
  'partner.rejected': factRow<PartnerRejected>({
    text: ({ from, partner, because }) =>
      `${shortRoleName[from]} waits for a valid manifest of ${shortRoleName[partner]}: ${because}`,
    apply({ partners }, { from, partner, because, problem }) {
      const key = partnerKey(from, partner)
      const { manifest, merchants } = partners.get(key) ?? {}
      partners.set(key, {
        state: 'rejected',
        because,
        problem,
        ...compact({ manifest, merchants }),
      })
    },
  }),
  /** The merchants that we are authorized for were received. */
  'partner.merchants': factRow<CallingPair & { merchants: readonly ListedMerchant[] }>({
    text: ({ from, merchants }) =>
      `${shortRoleName[from]} knows ${listCount(merchants, 'merchant')}`,
    apply({ partners }, { from, partner, merchants }) {
      const key = partnerKey(from, partner)
      const record = partners.get(key)
      if (record) partners.set(key, { ...record, merchants })
    },
  }),
}
