/**
 * The OpenAPI document of a role as a configuration has it: every operation that it may serve, on whatever channel and in
 * whatever mode.
 */
import { compact } from '../base/compact.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { composeOpenApi } from '../runtime/openapi/document.ts'
import type { Json } from '../runtime/openapi/json.ts'
import { listenUrl } from '../runtime/server/loopback.ts'
import { atConfiguredPath, hostedOperations } from '../engine/served-operations.ts'
import type { Role } from '../protocol/role.ts'
import { publicUrlsOf } from './public-urls.ts'
import { rolePorts, switchedOffCapabilities } from './settings.ts'

/** The session would listen there; with free ports, at those of the default configuration. */
function defaultUrlOf(role: Role, configuration: Configuration): string {
  const { host, tls, port } = configuration
  const withPorts = port === 0 ? { ...configuration, port: 7100 } : configuration
  return listenUrl(host, rolePorts(withPorts)(role), tls === false ? 'http' : 'https')
}

export function openApiOfRole(role: Role, configuration: Configuration): Json {
  const { protocol, conduct, subject } = configuration
  const defaultUrl = defaultUrlOf(role, configuration)
  const declared = publicUrlsOf(configuration, new Map([[role, defaultUrl]])).get(role)
  const switchedOff = switchedOffCapabilities(configuration)
  const withheld = new Set<string>(conduct.withheldOperations)
  return composeOpenApi(role, {
    protocol,
    conduct,
    defaultUrl,
    ...compact({ url: declared === defaultUrl ? undefined : declared }),
    served: hostedOperations(role, { conduct, switchedOff })
      .filter(({ id, declaredAs }) => !withheld.has(declaredAs ?? id))
      .map((row) => atConfiguredPath(row, subject.webhooks)),
  })
}
