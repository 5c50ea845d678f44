/** A reference service in this process, on a socket, as one that runs while sessions come and go on the same ports. */
import { reservePorts } from '../../src/terminal/cli/ports.ts'
import type { DefectName } from '../../src/demo/defects.ts'
import { type Role, roles } from '../../src/core/protocol/role.ts'
import { type DemoServiceOptions, listenAsDemo } from '../../src/demo/listen.ts'

export interface KeptDemo extends AsyncDisposable {
  readonly url: string
  /** The control port of the sessions that it looks for. */
  readonly port: number
  readonly stop: () => Promise<void>
}

export interface KeptDemoOptions {
  readonly defects?: readonly DefectName[]
  readonly speed: number
  readonly channel?: 'polling' | 'webhook' | 'both'
  /** An Ordering Application places only the orders that it is asked for. */
  readonly as?: DemoServiceOptions['as']
}

/** Poll interval, think time and reconcile period, in ms of its own clock. */
const pace = { pollMs: 1000, thinkMs: 200, reconcileMs: 12_000 }

export async function startKeptDemo({
  defects = [],
  speed,
  channel = 'polling',
  as = 'software-service',
}: KeptDemoOptions): Promise<KeptDemo> {
  const ports = await reservePorts('starting a service', '127.0.0.1')
  const service = await listenAsDemo(ports.service)
  const urlOf = (role: Role): string => `http://127.0.0.1:${ports.first + 1 + roles.indexOf(role)}`
  service.start({
    as,
    partner: urlOf(as === 'software-service' ? 'ordering-application' : 'software-service'),
    ...(as === 'software-service' ? {} : { platform: urlOf('delivery-platform') }),
    channel,
    defects,
    pace,
    speed,
    orders: 0,
    orderPauseMs: 0,
    credentials: { clientId: 'subject', clientSecret: 'secret' },
    protocol: 'protocol',
    complain: () => undefined,
  })
  let isStopped = false
  const stop = async (): Promise<void> => {
    if (isStopped) return
    isStopped = true
    await service.stop()
    ports[Symbol.dispose]()
  }
  return { url: service.url, port: ports.first, stop, [Symbol.asyncDispose]: stop }
}
