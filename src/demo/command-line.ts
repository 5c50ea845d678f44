/** Parses the arguments of src/demo/main.ts; errors are returned as one sentence. */
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
  /** Factor by which the clock runs faster. */
  readonly speed: number
  /** Number of orders that an Ordering Application places after it starts. */
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

export type CommandLineResult =
  | { readonly kind: 'start'; readonly line: CommandLine }
  | { readonly kind: 'help' | 'defects' }
  | { readonly kind: 'wrong'; readonly sentence: string }

class UsageError extends Error {}

function oneOf<Name extends string>(flag: string, names: readonly Name[], text?: string): Name {
  const found = names.find((name) => name === text)
  if (found === undefined) throw new UsageError(`--${flag} is one of ${names.join(', ')}`)
  return found
}

function numberOf(flag: string, text: string, min: number, max = 2 ** 31): number {
  const value = Number(text)
  if (text.trim() === '' || !(value >= min && value <= max))
    throw new UsageError(`--${flag} is a number from ${min} on, not "${text}"`)
  return value
}

function urlOf(flag: string, text: string | undefined): string {
  if (text === undefined || !/^https?:\/\//.test(text) || !URL.canParse(text))
    throw new UsageError(`--${flag} needs an http or https URL`)
  return text
}

function defectsOf(text: readonly string[]): readonly DefectName[] {
  const unknown = text.find((name) => !isDefectName(name))
  if (unknown !== undefined) throw new UsageError(`there is no defect ${unknown}: see --defects`)
  return text.filter(isDefectName)
}

/** The number of an optional flag, under `name`; an empty object when the flag is absent. */
const ms = <Name extends string>(
  name: Name,
  flag: string,
  text: string | undefined,
): Partial<Record<Name, number>> =>
  text === undefined ? {} : ({ [name]: numberOf(flag, text, 1) } as Partial<Record<Name, number>>)

function read(args: readonly string[]): CommandLineResult {
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

export function readCommandLine(args: readonly string[]): CommandLineResult {
  try {
    return read(args)
  } catch (error) {
    // The message of parseArgs for an unknown flag is already fit for users.
    const isTheirs = error instanceof UsageError || (error instanceof TypeError && 'code' in error)
    if (!isTheirs) throw error
    return { kind: 'wrong', sentence: error.message }
  }
}
