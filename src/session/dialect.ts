/**
 * A configuration in a partner's dialect: what the dialect says stands under what the user says, so that the one is a
 * beginning and the other has the last word.
 */
import type { ConfigurationInput } from '../configuration/schema.ts'
import { dialect, type DialectName, dialectNames } from '../protocol/dialects/catalogue.ts'
import { isGroup } from '../protocol/group.ts'

/** What is said above, over what is said below; groups are joined field by field, and nothing said is nothing. */
function over(above: unknown, below: unknown): unknown {
  if (above === undefined) return below
  if (!isGroup(above) || !isGroup(below)) return above
  const names = new Set([...Object.keys(below), ...Object.keys(above)])
  return Object.fromEntries(Array.from(names, (name) => [name, over(above[name], below[name])]))
}

/** What a dialect says, in its places. */
function saidBy(name: DialectName): ConfigurationInput {
  const { conduct, protocol, channel, pollEvery, webhookPath } = dialect(name)
  return {
    conduct,
    ...(protocol ? { protocol } : {}),
    ...(webhookPath === undefined ? {} : { subject: { webhooks: { orders: webhookPath } } }),
    counterparts: {
      ...(channel === undefined ? {} : { 'ordering-application': { channel } }),
      ...(pollEvery === undefined ? {} : { 'software-service': { pollEvery } }),
    },
  }
}

/** The configuration with its dialect written out. One whose dialect nobody knows is left for the schema to refuse. */
export function inDialect(input: ConfigurationInput): ConfigurationInput {
  const name = dialectNames.find((each) => each === input.dialect)
  return name === undefined ? input : (over(input, saidBy(name)) as ConfigurationInput)
}
