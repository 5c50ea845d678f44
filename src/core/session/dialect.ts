/** Merges a dialect's options under the user's configuration: explicit user values win. */
import { compact } from '../base/compact.ts'
import type { ConfigurationInput } from '../session-api/configuration/schema.ts'
import { dialect, type DialectName, dialectNames } from '../protocol/dialects/catalogue.ts'
import { isUnknownRecord } from '../protocol/unknown-record.ts'

/** Deep merge of two values; `above` wins, `undefined` counts as absent. */
function merge(above: unknown, below: unknown): unknown {
  if (above === undefined) return below
  if (!isUnknownRecord(above) || !isUnknownRecord(below)) return above
  const names = new Set([...Object.keys(below), ...Object.keys(above)])
  return Object.fromEntries(Array.from(names, (name) => [name, merge(above[name], below[name])]))
}

/** The configuration that a dialect stands for. */
function dialectConfiguration(name: DialectName): ConfigurationInput {
  const { conduct, protocol, channel, pollEvery, webhookPath } = dialect(name)
  return {
    conduct,
    ...compact({ protocol }),
    ...(webhookPath === undefined ? {} : { subject: { webhooks: { orders: webhookPath } } }),
    counterparts: {
      ...(channel === undefined ? {} : { 'ordering-application': { channel } }),
      ...(pollEvery === undefined ? {} : { 'software-service': { pollEvery } }),
    },
  }
}

/** The configuration with its dialect expanded. An unknown dialect is left for the schema to reject. */
export function applyDialect(input: ConfigurationInput): ConfigurationInput {
  const name = dialectNames.find((each) => each === input.dialect)
  return name === undefined
    ? input
    : (merge(input, dialectConfiguration(name)) as ConfigurationInput)
}
