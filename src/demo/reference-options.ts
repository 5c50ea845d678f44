/** Options that both reference subjects share, and the runtime that is built from them. */
import { type Clock, machineClock } from './clock.ts'
import { type DefectName, type DefectSwitch, createDefectSwitch } from './defects.ts'
import { createLifetime, type Lifetime } from './lifetime.ts'
import { type Pace, defaultPace } from './pace.ts'
import { createPartner, type Partner, type PartnerParts } from './partner.ts'
import { createSend, type Fetch } from './send.ts'
import type { Credentials } from './token-cache.ts'

export interface ReferenceOptions {
  /** Base URL of the partner. */
  readonly partner: string
  /** Base URL of a Delivery Platform, if it is to deliver. */
  readonly platform?: string | undefined
  /** Our own base URL, as in our manifest. */
  readonly base: string
  readonly clock?: Clock
  readonly fetch?: Fetch
  readonly credentials?: Credentials
  /** Clients that may get a token from us; any client when absent. */
  readonly clients?: readonly Credentials[]
  readonly pace?: Partial<Pace>
  readonly defects?: readonly DefectName[]
  /** Last segment of /.well-known/. */
  readonly protocol?: string
  readonly scopePrefix?: string
  /** Receives one sentence per problem. */
  readonly complain?: (sentence: string) => void
}

/** The options with all defaults, and what is derived from them. */
export interface ReferenceRuntime {
  readonly clock: Clock
  readonly life: Lifetime
  readonly pace: Pace
  readonly wrong: DefectSwitch
  readonly base: string
  readonly credentials: Credentials
  readonly protocol: string
  readonly scope: (name: string) => string
  readonly complain: (sentence: string) => void
  readonly partner: (parts: Pick<PartnerParts, 'url' | 'capability' | 'side' | 'scope'>) => Partner
  /** The Delivery Platform at this URL, if there is one. */
  readonly platform: (url: string | undefined) => Partner | undefined
}

export interface ReferenceService {
  readonly fetch: Fetch
  readonly start: () => void
  /** Stops all background tasks. */
  readonly stop: () => Promise<void>
}

export function createReferenceRuntime(options: ReferenceOptions): ReferenceRuntime {
  const {
    clock = machineClock,
    credentials = { clientId: 'subject', clientSecret: 'secret' },
    protocol = 'protocol',
    scopePrefix = 'proto',
    complain = () => undefined,
  } = options
  const life = createLifetime(clock)
  const pace = { ...defaultPace, ...options.pace }
  const wrong = createDefectSwitch(options.defects ?? [])
  const send = createSend({
    fetch: options.fetch ?? fetch,
    clock,
    timeoutMs: pace.timeoutMs,
    enough: life.signal,
  })
  const partner: ReferenceRuntime['partner'] = (parts) =>
    createPartner({ ...parts, protocol, credentials, send, clock, life, pace, wrong, complain })
  return {
    clock,
    life,
    pace,
    wrong,
    base: options.base.replace(/\/+$/, ''),
    credentials,
    protocol,
    scope: (name) => `${scopePrefix}.${name}`,
    complain,
    partner,
    platform(url) {
      if (url === undefined) return undefined
      const scope = 'logistics.read logistics.write'
      return partner({ url, capability: 'logistics', side: 'originator', scope })
    },
  }
}
