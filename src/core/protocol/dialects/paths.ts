/** Paths of an operation at a host in this session's dialect: under the base path, or overridden by `conduct.paths`. */
import { joinUrl } from '../../base/join-url.ts'
import { type Operation, pathsAtHost } from '../operation.ts'
import type { Role } from '../role.ts'
import { basePathOf } from './settings.ts'

export type PathSettings = Parameters<typeof basePathOf>[0] & {
  readonly paths: Readonly<Record<string, string>>
  readonly colon: 'literal' | 'encoded'
}

/** Path prefix of an operation: the base path, but none for discovery, authentication and webhooks. */
export const pathPrefixOf = (
  { capability, webhook }: Pick<Operation, 'capability' | 'webhook'>,
  settings: PathSettings,
): string =>
  capability === 'discovery' || capability === 'auth' || webhook !== undefined
    ? ''
    : basePathOf(settings)

/** The overridden path of an operation; undefined without an override. */
export const pathOverrideOf = (
  { id, webhook }: Pick<Operation, 'id' | 'webhook'>,
  { paths }: PathSettings,
) => (webhook === undefined && Object.hasOwn(paths, id) ? paths[id] : undefined)

/** All path templates of an operation at a host, with prefix or override. */
export function pathsInDialect(
  row: Operation,
  host: Role,
  settings: PathSettings,
): readonly string[] {
  const override = pathOverrideOf(row, settings)
  if (override !== undefined) return [override]
  const prefix = pathPrefixOf(row, settings)
  return pathsAtHost(row, host).map((path) => `${prefix}${path}`)
}

/** A path as it is written on the wire. */
export const writtenPath = (path: string, { colon }: Pick<PathSettings, 'colon'>): string =>
  colon === 'encoded' ? path.replaceAll(':', '%3A') : path

/**
 * The URL at which a host serves an operation, for everything that names one: `base` is the host's own. Parameters
 * without a value stay as they are in the template.
 */
export function urlInDialect(
  row: Operation,
  { role, base }: { readonly role: Role; readonly base: string },
  settings: PathSettings,
  params: Readonly<Record<string, string>> = {},
): string {
  const [path = row.path] = pathsInDialect(row, role, settings)
  const filled = path.replaceAll(/\{(\w+)\}/g, (template, name: string) =>
    Object.hasOwn(params, name) ? encodeURIComponent(params[name] ?? '') : template,
  )
  return joinUrl(base, writtenPath(filled, settings))
}
