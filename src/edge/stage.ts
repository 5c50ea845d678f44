/**
 * One world and everything that moves it: engine, hosts, the caller, the driver. A reset puts up a new stage behind the
 * same sockets, so addresses stay and everything else is fresh.
 */
import { createEngine, type Engine, type Reactor } from '../engine/engine.ts'
import type { Instant } from '../engine/instant.ts'
import type { Settings } from '../engine/settings.ts'
import type { WebhookName } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import type { ClockMode } from '../session-face.ts'
import type { TrafficLog } from '../traffic/log.ts'
import { createCaller, type Destination } from './caller.ts'
import { createDriver, type Driver } from './driver.ts'
import { createHost, type Host } from './host.ts'

export interface StageOptions {
  readonly seed: number
  readonly settings: Settings
  readonly reactors: readonly Reactor[]
  readonly origin: Instant
  readonly clock: { readonly mode: ClockMode; readonly speed: number; readonly automatic: boolean }
  readonly log: TrafficLog
  readonly webhooks: Readonly<Record<WebhookName, string>>
  readonly base: (role: Role) => string
  readonly destination: (role: Role, platform?: number) => Destination | undefined
  readonly onBug: (error: unknown) => void
}

export interface Stage {
  readonly engine: Engine
  readonly driver: Driver
  readonly hosts: ReadonlyMap<Role, Host>
}

/** One turn of the machine's loop: whatever a handler in this process has set off gets its chance. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

export function createStage(options: StageOptions): Stage {
  const { settings, log, base, destination, onBug } = options
  const { mode, speed, automatic } = options.clock
  const engine = createEngine({
    seed: options.seed,
    settings,
    reactors: options.reactors,
    origin: options.origin,
  })
  const caller = createCaller({ engine, log, destination, base })
  let inFlight = 0
  let waiting: (() => void)[] = []

  engine.onFact(({ fact }) => {
    if (fact.kind !== 'call.placed') return
    inFlight++
    caller
      .make(fact.call)
      .catch(onBug)
      .finally(() => {
        inFlight--
        if (inFlight > 0) return
        const woken = waiting
        waiting = []
        for (const wake of woken) wake()
      })
      .catch(onBug)
  })

  async function quiet(): Promise<void> {
    do {
      if (inFlight > 0) await new Promise<void>((resolve) => waiting.push(resolve))
      await turn()
    } while (inFlight > 0)
  }

  const driver = createDriver({ engine, mode, speed, automatic, quiet, onBug })
  const hosts = new Map(
    settings.roles.map((role) => [
      role,
      createHost({ engine, role, base: () => base(role), webhooks: options.webhooks }),
    ]),
  )
  return { engine, driver, hosts }
}
