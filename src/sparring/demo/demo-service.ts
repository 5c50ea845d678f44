/** The service of `sparring demo`, from its flags. */
import { compact } from '../../core/base/compact.ts'
import { isDefectName, defects, type DefectName } from '../../demo/defects.ts'
import {
  type DemoService,
  type DemoServiceOptions,
  demoRoles,
  listenAsDemo,
} from '../../demo/listen.ts'
import type { Configuration } from '../../core/session-api/configuration/schema.ts'
import { problem } from '../../core/base/problem.ts'
import type { Credentials } from '../../demo/token-cache.ts'
import { findClosestName } from '../../core/protocol/closest-name.ts'
import { roles } from '../../core/protocol/role.ts'
import { exitCode } from '../../terminal/cli/exit-code.ts'
import type { DemoOptions } from './demo-flags.ts'

const defaultOrderPauseMs = 5000

export function demoRoleOf({ as = 'software-service' }: DemoOptions): (typeof demoRoles)[number] {
  const role = demoRoles.find((name) => name === as)
  if (role !== undefined) return role
  throw problem(
    'reading --as',
    `the demo service cannot play the ${as}`,
    `It plays ${demoRoles.join(' or ')}.`,
  )
}

export function defectsOf({ defect = [] }: DemoOptions): readonly DefectName[] {
  for (const name of defect)
    if (!isDefectName(name)) {
      const closest = findClosestName(name, Object.keys(defects))
      throw problem(
        'reading --defect',
        `there is no defect ${name}`,
        closest === undefined
          ? 'sparring list defects has them all.'
          : `Did you mean ${closest}? sparring list defects has them all.`,
      )
    }
  return defect.filter(isDefectName)
}

/** Listens on the port of the service. */
export async function listenForDemo(port: number): Promise<DemoService> {
  try {
    return await listenAsDemo(port)
  } catch (error) {
    throw problem(
      `starting the demo service on port ${port}`,
      error instanceof Error ? error.message : String(error),
      'Name another port with --service-port.',
      exitCode.unreachable,
    )
  }
}

/** What its partners identify themselves with: our counterparts, as they are configured. */
export const partnerCredentials = ({
  counterparts,
  clients,
}: Configuration): readonly Credentials[] => [
  ...roles.map((role) => counterparts[role].credentials),
  ...clients,
]

/** What the service does, but for its partners. */
export const demoServiceOptions = (
  options: DemoOptions,
  complain: (sentence: string) => void,
): Omit<DemoServiceOptions, 'partner' | 'platform' | 'clients'> => ({
  as: demoRoleOf(options),
  channel: options.channel ?? 'polling',
  defects: defectsOf(options),
  pace: compact({
    pollMs: options.poll,
    thinkMs: options.think,
    reconcileMs: options.reconcile,
  }),
  speed: options.speed ?? 1,
  orders: options.orders ?? Number.POSITIVE_INFINITY,
  orderPauseMs: options.orders === undefined ? defaultOrderPauseMs : 1000,
  memory: options.memory,
  credentials: {
    clientId: options['client-id'] ?? 'subject',
    clientSecret: options['client-secret'] ?? 'secret',
  },
  protocol: 'protocol',
  complain,
})
