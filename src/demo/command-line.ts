/** What a person may say to start a reference subject, and a sentence for what is wrong with it. */
import { parseArgs } from 'node:util'
import { type DefectName, isDefectName } from './defects.ts'

export const roles = ['software-service', 'ordering-application'] as const
const channels = ['polling', 'webhook', 'both'] as const

export interface CommandLine {
  readonly as: (typeof roles)[number]
  readonly partner: string
  readonly platform?: string
  readonly port: number
  readonly channel: (typeof channels)[number]
  readonly defects: readonly DefectName[]
  readonly pollMs?: number
  readonly thinkMs?: number
  readonly reconcileMs?: number
  /** Everything goes so many times as fast. */
  readonly speed: number
  /** Orders that an Ordering Application places when it starts. */
  readonly orders: number
  readonly memory?: string
  readonly clientId: string
  readonly clientSecret: string
  readonly protocol: string
  readonly json: boolean
}

export const usage = `usage: tsx src/demo/main.ts --as <role> --partner <url> [options]

  --as <role>           ${roles.join(' | ')}
  --partner <url>       where the other side answers
  --platform <url>      a Delivery Platform, which then delivers the DELIVERY orders
  --port <n>            where it listens on 127.0.0.1; a free port when absent
  --channel <how>       ${channels.join(' | ')}: how a software-service hears of orders
  --defect <name>       a mistake to make; can be repeated (--defects lists them)
  --poll <ms>           the pause between two polls (1000)
  --think <ms>          about how long a step of an order takes (500)
  --reconcile <ms>      how long nothing may be heard of an open order (15000)
  --speed <x>           everything so many times as fast (1)
  --orders <n>          orders that an ordering-application places, one a second (0)
  --memory <file>       a file in which a software-service remembers
  --client-id <id>      (subject)
  --client-secret <s>   (secret)
  --protocol <name>     last segment of /.well-known/ (protocol)
  --json                the ready line as JSON
  --defects             list the defects and the invariants that should catch them`

const options = {
  as: { type: 'string' },
  partner: { type: 'string' },
  platform: { type: 'string' },
  port: { type: 'string', default: '0' },
  channel: { type: 'string', default: 'polling' },
  defect: { type: 'string', multiple: true },
  poll: { type: 'string' },
  think: { type: 'string' },
  reconcile: { type: 'string' },
  speed: { type: 'string', default: '1' },
  orders: { type: 'string', default: '0' },
  memory: { type: 'string' },
  'client-id': { type: 'string', default: 'subject' },
  'client-secret': { type: 'string', default: 'secret' },
  protocol: { type: 'string', default: 'protocol' },
  json: { type: 'boolean', default: false },
  defects: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const

export type Said =
  | { readonly kind: 'start'; readonly line: CommandLine }
  | { readonly kind: 'help' | 'defects' }
  | { readonly kind: 'wrong'; readonly sentence: string }

class Wrong extends Error {}

function oneOf<Name extends string>(flag: string, names: readonly Name[], said?: string): Name {
  const found = names.find((name) => name === said)
  if (found === undefined) throw new Wrong(`--${flag} is one of ${names.join(', ')}`)
  return found
}

function numberOf(flag: string, said: string, least: number, most = 2 ** 31): number {
  const value = Number(said)
  if (said.trim() === '' || !(value >= least && value <= most))
    throw new Wrong(`--${flag} is a number from ${least} on, not "${said}"`)
  return value
}

function urlOf(flag: string, said: string | undefined): string {
  if (said === undefined || !/^https?:\/\//.test(said) || !URL.canParse(said))
    throw new Wrong(`--${flag} needs an http or https URL`)
  return said
}

function defectsOf(said: readonly string[]): readonly DefectName[] {
  const unknown = said.find((name) => !isDefectName(name))
  if (unknown !== undefined) throw new Wrong(`there is no defect ${unknown}: see --defects`)
  return said.filter(isDefectName)
}

/** A number where one was said. */
const ms = <Name extends string>(
  name: Name,
  flag: string,
  said: string | undefined,
): Partial<Record<Name, number>> =>
  said === undefined ? {} : ({ [name]: numberOf(flag, said, 1) } as Partial<Record<Name, number>>)

function read(args: readonly string[]): Said {
  const { values } = parseArgs({ args: [...args], options, strict: true })
  if (values.help) return { kind: 'help' }
  if (values.defects) return { kind: 'defects' }
  const line: CommandLine = {
    as: oneOf('as', roles, values.as),
    partner: urlOf('partner', values.partner),
    ...(values.platform === undefined ? {} : { platform: urlOf('platform', values.platform) }),
    port: numberOf('port', values.port, 0, 65_535),
    channel: oneOf('channel', channels, values.channel),
    defects: defectsOf(values.defect ?? []),
    ...ms('pollMs', 'poll', values.poll),
    ...ms('thinkMs', 'think', values.think),
    ...ms('reconcileMs', 'reconcile', values.reconcile),
    speed: numberOf('speed', values.speed, 0.001, 1000),
    orders: numberOf('orders', values.orders, 0),
    ...(values.memory === undefined ? {} : { memory: values.memory }),
    clientId: values['client-id'],
    clientSecret: values['client-secret'],
    protocol: values.protocol,
    json: values.json,
  }
  return { kind: 'start', line }
}

export function readCommandLine(args: readonly string[]): Said {
  try {
    return read(args)
  } catch (error) {
    // What parseArgs says of a flag that it does not know is a sentence for people already.
    const isTheirs = error instanceof Wrong || (error instanceof TypeError && 'code' in error)
    if (!isTheirs) throw error
    return { kind: 'wrong', sentence: error.message }
  }
}
