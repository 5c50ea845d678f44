/** Merges a dialect's options under the user's configuration: explicit user values win. */
import { compact } from '../base/compact.ts'
import type { ConfigurationInput } from '../session-api/configuration/schema.ts'
import type { Dialect } from '../protocol/dialects/dialect.ts'
import {
  dialectOfInput,
  isDialectFileName,
  mergeSettings,
} from '../protocol/dialects/own-dialect.ts'

/** The configuration that a dialect stands for. */
function dialectConfiguration(dialect: Dialect): ConfigurationInput {
  const { conduct, protocol, channel, pollEvery, webhookPath } = dialect
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
  const { dialect } = input
  if (typeof dialect === 'string' && isDialectFileName(dialect))
    throw new Error(`the file ${dialect} was not read`)
  const known = dialectOfInput(dialect)
  return known === undefined
    ? input
    : (mergeSettings(input, dialectConfiguration(known)) as ConfigurationInput)
}
