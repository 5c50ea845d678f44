/** The operations that a role has in a session's dialect, and those of them that it serves. */
import {
  type CatalogueRow,
  operationsHostedInDialect,
  type OperationId,
} from '../protocol/catalogue.ts'
import { featureSwitchOf, type WebhookName } from '../protocol/operation.ts'
import type { Role } from '../protocol/role.ts'
import type { Settings } from './settings.ts'

/** Whether the capability switch that an operation needs is on; otherwise it is neither declared nor served. */
const isOn = (row: CatalogueRow, { switchedOff }: Pick<Settings, 'switchedOff'>): boolean => {
  const capabilitySwitch = featureSwitchOf(row)
  return capabilitySwitch === undefined || !switchedOff.has(capabilitySwitch)
}

/** The operations of a role that are switched on in this session. */
export const hostedOperations = (
  role: Role,
  settings: Pick<Settings, 'conduct' | 'switchedOff'>,
): readonly CatalogueRow[] =>
  operationsHostedInDialect(role, settings.conduct).filter((row) => isOn(row, settings))

/** A webhook at its configured path; any other operation as it is. */
export const atConfiguredPath = (
  row: CatalogueRow,
  webhooks: Readonly<Record<WebhookName, string>>,
): CatalogueRow => (row.webhook ? { ...row, path: webhooks[row.webhook] } : row)

/** Operations served only with the polling channel. */
const pollOperations: ReadonlySet<OperationId> = new Set([
  'pollingEvents',
  'acknowledgeEvents',
  'pollEventsV1',
  'acknowledgeEventsV1',
])

/**
 * The operations that a role serves: its own, without those the session withholds; webhooks at their configured
 * paths.
 */
export function servedOperations(
  role: Role,
  settings: Settings,
  webhooks: Readonly<Record<WebhookName, string>>,
): readonly CatalogueRow[] {
  return hostedOperations(role, settings)
    .filter(({ modes }) => modes?.[role]?.includes(settings.customerMode) ?? true)
    .filter(
      ({ id, declaredAs, webhook }) =>
        !(settings.conduct.withheldOperations as readonly string[]).includes(declaredAs ?? id) &&
        (webhook !== 'orders' || settings.channels.webhook) &&
        (!pollOperations.has(id) || settings.channels.polling),
    )
    .map((row) => atConfiguredPath(row, webhooks))
}
