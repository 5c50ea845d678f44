/**
 * Certifies one of our own counterparts: a second session in this process plays it, on the clock of the first, with a
 * defect on the way where one is given.
 */
import type { DialectName } from '../../src/core/protocol/dialects/catalogue.ts'
import type { ProtocolGeneration } from '../../src/core/protocol/dialects/settings.ts'
import { capabilities } from '../../src/core/protocol/operation.ts'
import { type Role, roles } from '../../src/core/protocol/role.ts'
import { catalogueOf } from '../../src/certify/judge/catalogue.ts'
import { CertificationData } from '../../src/certify/judge/certification-data.ts'
import { type Certification, certifyInSession } from '../../src/certify/judge/certify.ts'
import type { Check } from '../../src/core/rules/checks/check.ts'
import { commandsOfAction, fullOrderDocument } from '../../src/certify/cli/ask-service.ts'
import type { ServiceAction } from '../../src/certify/judge/procedure.ts'
import type { ProcedureProgress } from '../../src/certify/judge/run-procedures.ts'
import { compact } from '../../src/core/base/compact.ts'
import type { FetchHandler, Session } from '../../src/core/session-api/session.ts'
import { abortableSleep } from '../../src/core/runtime/clock/clock.ts'
import type { SessionOptions } from '../../src/core/session/options.ts'
import { prepareSession } from '../../src/core/session/session.ts'
import {
  certificationConduct,
  certificationCounterparts,
} from '../../src/certify/session/certify-service.ts'
import { startSessionService } from './session-service.ts'

/** A mistake of the counterpart that follows from what it meets: its messages are changed on the wire. */
export interface Defect {
  /** What it does wrong: "answers 200 in place of 202". */
  readonly about: string
  /** How it answers a request. */
  readonly answer?: (request: Request, forward: FetchHandler) => Promise<Response>
  /** How it makes a call. */
  readonly call?: (request: Request, forward: FetchHandler) => Promise<Response>
}

/** What the counterpart is asked for, as its operator would do it. */
async function fulfil(
  action: ServiceAction,
  session: Session,
  speaks: ProtocolGeneration,
): Promise<{ readonly why?: string }> {
  if (action.kind === 'create-order') {
    const { type, isFull, document } = action
    const order = isFull ? fullOrderDocument(type, session.clock.now()) : document
    const created = await session.createOrder(order ? { order } : { type })
    return created.ok ? {} : { why: created.error.message }
  }
  if (action.kind === 'cancel-order' && !action.command && speaks === 'v1') {
    const { orderId } = action
    const done = await session.submit({ kind: 'handshake.offer', orderId })
    return done.ok ? {} : { why: done.error.message }
  }
  if (action.kind === 'begin-anew') {
    // Another seed: what it creates has new ids.
    await session.reset(session.clock.now())
    return {}
  }
  const commands = commandsOfAction(action)
  for (const command of commands) {
    const done = await session.submit(command)
    if (!done.ok) return { why: done.error.message }
  }
  return action.kind === 'other' && commands.length === 0
    ? { why: `it has to be done by hand: ${action.instruction}` }
    : {}
}

/** Settings of the counterpart that is certified, so that more comes up: both channels, deliveries of its own. */
const counterpartSettings = {
  'ordering-application': {
    'ordering-application': { channel: 'both' },
    crm: { mode: 'hybrid' },
  },
  'software-service': {
    'software-service': { deliveries: true },
    'ordering-application': { channel: 'both' },
  },
  'delivery-platform': {},
  crm: { crm: { mode: 'hybrid' } },
} as const satisfies Record<Role, SessionOptions['counterparts']>

/** It is known by an address of HTTPS, as a service that is deployed. */
const publicUrlOf = (role: Role): string => `https://${role}.test`

function ownSettings(role: Role, variant?: CounterpartVariant): SessionOptions['counterparts'] {
  const settings: SessionOptions['counterparts'] = counterpartSettings[role]
  const own = { ...settings?.[role], ...variant?.counterparts?.[role] }
  return { ...settings, [role]: { ...own, publicUrl: publicUrlOf(role) } }
}

/** How a counterpart behaves where the documents leave a choice. */
export type CounterpartVariant = Pick<SessionOptions, 'counterparts' | 'conduct' | 'seed'>

export interface CertifiedCounterpartOptions {
  readonly role: Role
  readonly checks: readonly Check[]
  readonly defect?: Defect | undefined
  readonly variant?: CounterpartVariant
  /** The dialect of both sides; the documents' form when absent. */
  readonly dialect?: DialectName | undefined
  /** Does what its operator would do before; returns the ids that are given for --data. */
  readonly prepare?: (counterpart: Session) => Promise<Partial<CertificationData>>
  /** What its operator cannot do; everything can be done when absent. */
  readonly refuses?: (action: ServiceAction) => boolean
  /** File to which the traffic is recorded. */
  readonly recording?: string
  readonly onProgress?: (progress: ProcedureProgress) => void
}

/** Certifies our counterpart of this role, in process and on the virtual clock. */
export async function certifyCounterpart({
  role,
  checks,
  defect,
  variant,
  dialect: name,
  prepare,
  refuses,
  recording,
  onProgress,
}: CertifiedCounterpartOptions): Promise<Certification> {
  const others = roles.filter((each) => each !== role)
  const [partner = role, ...further] = others
  const service = (request: Request): Promise<Response> =>
    defect?.answer ? defect.answer(request, answering.fetch) : answering.fetch(request)
  const dialect = compact({ dialect: name })
  const session = await prepareSession({
    ...dialect,
    clock: 'virtual',
    listen: false,
    automatic: false,
    live: true,
    judgesClauses: false,
    subject: { role, url: publicUrlOf(role) },
    handler: service,
    counterparts: certificationCounterparts(role),
    conduct: certificationConduct,
    ...compact({ recording: recording === undefined ? undefined : { file: recording } }),
  })
  const answering = startSessionService(
    {
      ...dialect,
      plays: role,
      partner,
      others: further,
      counterparts: ownSettings(role, variant),
      // Only so is a manifest required (DIS-GEN-02).
      ...(session.speaks === 'v1' ? {} : { conduct: { manifest: 'require', ...variant?.conduct } }),
      ...compact({ seed: variant?.seed }),
    },
    {
      clock: session.clock,
      fetch: (request) =>
        defect?.call ? defect.call(request, session.fetch) : session.fetch(request),
    },
  )
  try {
    await Promise.all([session.begin(), session.loadFaults()])
    const counterpart = await answering.session
    const data = await prepare?.(counterpart)
    return await certifyInSession({
      session,
      role,
      capabilities,
      checks,
      procedures: catalogueOf(session.speaks).procedures,
      unchecked: [],
      data: CertificationData.parse(data ?? {}),
      seed: 42,
      sleep: abortableSleep,
      signal: new AbortController().signal,
      ask: (action) =>
        refuses?.(action)
          ? Promise.resolve({ why: 'it cannot be done' })
          : fulfil(action, counterpart, session.speaks),
      ...compact({ onProgress }),
    })
  } finally {
    const stopping = answering[Symbol.asyncDispose]()
    await session.advance(0)
    await stopping
    await session.close()
  }
}
