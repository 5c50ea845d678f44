/**
 * The services that are certified, each as programs of their own: our counterparts, played by `sparring up`, and the reference
 * service, by `sparring demo --service`. Each is told the addresses of the counterparts in the session that certifies it.
 */
import { type Role, roles } from '../../src/core/protocol/role.ts'
import type { ConfigurationInput } from '../../src/core/session-api/configuration/schema.ts'

export interface CertifiedProgram {
  /** `up crm`, `demo ordering-application`. */
  readonly name: string
  readonly role: Role
  /** Arguments of the program, without those of the machine. */
  readonly args: readonly string[]
  readonly configuration: ConfigurationInput
  readonly url: string
  /** Its control API; it has none when absent. */
  readonly control?: string
}

/** The first of five ports each: the control port and those of the four roles. */
interface Ports {
  readonly service: number
  readonly certify: number
}

const urlOf = (first: number, role?: Role): string =>
  `http://127.0.0.1:${first + (role === undefined ? 0 : 1 + roles.indexOf(role))}`

/** The role of the partner that `up` calls its service; the others are partners by their URL. */
const partnerOf = (role: Role): Role =>
  role === 'ordering-application' ? 'software-service' : 'ordering-application'

const credentialsOf = (role: Role) => ({
  clientId: `sparring-${role}`,
  clientSecret: `secret-of-${role}`,
})

/** So that more comes up: both channels, deliveries of its own. */
const ownSettings = {
  'ordering-application': { channel: 'both' },
  'software-service': { deliveries: true },
  'delivery-platform': {},
  crm: { mode: 'hybrid' },
} as const satisfies Record<Role, object>

function upProgram(role: Role, ports: Ports): CertifiedProgram {
  const partner = partnerOf(role)
  const own = { credentials: { clientId: 'subject', clientSecret: 'secret' } }
  const counterparts: ConfigurationInput['counterparts'] = Object.fromEntries(
    roles.map((each) => [
      each,
      {
        ...ownSettings[each],
        ...(each === role ? own : each === partner ? {} : { url: urlOf(ports.certify, each) }),
      },
    ]),
  )
  return {
    name: `up ${role}`,
    role,
    args: ['up', role],
    configuration: {
      port: ports.service,
      subject: {
        role: partner,
        url: urlOf(ports.certify, partner),
        credentials: credentialsOf(partner),
      },
      counterparts,
      // It reads manifests again when it has none (DIS-GEN-02).
      conduct: { manifest: 'require' },
    },
    url: urlOf(ports.service, role),
    control: urlOf(ports.service),
  }
}

function demoProgram(role: 'software-service' | 'ordering-application', ports: Ports) {
  const partner = partnerOf(role)
  return {
    name: `demo ${role}`,
    role,
    args: [
      'demo',
      '--service',
      `--as=${role}`,
      '--orders=0',
      `--service-port=${ports.service}`,
      `--${partner}-url=${urlOf(ports.certify, partner)}`,
      `--delivery-platform-url=${urlOf(ports.certify, 'delivery-platform')}`,
    ],
    configuration: {},
    url: urlOf(ports.service),
  }
}

/** The demo has no dialects: with one, what `up` plays is certified alone. */
export function certifiedPrograms(ports: Ports, dialect?: string): readonly CertifiedProgram[] {
  const upPrograms = roles.map((role) => upProgram(role, ports))
  if (dialect !== undefined)
    return upPrograms.map((each) => ({ ...each, args: [...each.args, '--dialect', dialect] }))
  const demos = (['software-service', 'ordering-application'] as const).map((role) =>
    demoProgram(role, ports),
  )
  return [...demos, ...upPrograms]
}
