/** The paths that operations have at a host, in this session's dialect and in all others: what a wrong path is compared with. */
import { compact } from '../../../base/compact.ts'
import {
  type CatalogueRow,
  operationsHostedBy,
  operationsHostedInDialect,
} from '../../../protocol/catalogue.ts'
import type { Conduct } from '../../../protocol/conduct.ts'
import { dialects } from '../../../protocol/dialects/catalogue.ts'
import { pathsInDialect } from '../../../protocol/dialects/paths.ts'
import { type Role, roles } from '../../../protocol/role.ts'
import type { Settings } from '../../../engine/settings.ts'

export interface KnownPath {
  readonly row: CatalogueRow
  readonly host: Role
  /** A template with `{name}` for each parameter. */
  readonly path: string
}

/** `GET /events:polling` */
export const pathText = ({ row, path }: KnownPath): string => `${row.method} ${path}`

const segmentsOf = (path: string): readonly string[] => path.split('/').slice(1)

const isParameter = (segment: string): boolean => segment.startsWith('{') && segment.endsWith('}')

/** Whether a path is one of a template's; a parameter takes any segment but an empty one. */
export function fitsTemplate(template: string, path: string): boolean {
  const wanted = segmentsOf(template)
  const found = segmentsOf(path)
  return (
    wanted.length === found.length &&
    wanted.every((segment, index) =>
      isParameter(segment) ? found[index] !== '' : segment === found[index],
    )
  )
}

/** A template with its parameters as the path has them, where it has as many segments: for comparing by spelling. */
export function filledTemplate(template: string, path: string): string {
  const found = segmentsOf(path)
  const wanted = segmentsOf(template)
  if (wanted.length !== found.length) return template
  return wanted
    .map((segment, index) => `/${isParameter(segment) ? found[index] : segment}`)
    .join('')
}

const knownPaths = (
  rows: readonly CatalogueRow[],
  host: Role,
  conduct: Conduct,
): readonly KnownPath[] =>
  rows.flatMap((row) => pathsInDialect(row, host, conduct).map((path) => ({ row, host, path })))

/** The dialect of the specification itself, as `speaks` names it. */
const specification = 'v2'

interface PathsOfSession {
  /** By host, whether served in this session or not. */
  readonly byHost: ReadonlyMap<Role, readonly KnownPath[]>
  readonly byDialect: readonly { readonly name: string; readonly paths: readonly KnownPath[] }[]
}

function pathsOfSession({ conduct }: Settings): PathsOfSession {
  const plain: Conduct = {
    ...conduct,
    speaks: 'v2',
    basePath: undefined,
    paths: {},
    colon: 'literal',
    furtherOperations: [],
  }
  const inDialect = (of: Conduct) =>
    roles.flatMap((host) => knownPaths(operationsHostedInDialect(host, of), host, of))
  return {
    byHost: new Map(
      roles.map((host) => [
        host,
        knownPaths(
          [...new Set([...operationsHostedInDialect(host, conduct), ...webhooksAt(host)])],
          host,
          conduct,
        ),
      ]),
    ),
    byDialect: [
      { name: specification, paths: inDialect(plain) },
      ...dialects.map(
        ({ name, conduct: { speaks, basePath, paths, colon, furtherOperations } }) => ({
          name,
          // Which operations there are, and where, is decided by these alone.
          paths: inDialect({
            ...plain,
            ...compact({ speaks, basePath, paths, colon, furtherOperations }),
          }),
        }),
      ),
    ],
  }
}

const webhooksAt = (host: Role): readonly CatalogueRow[] =>
  operationsHostedBy(host).filter(({ webhook }) => webhook !== undefined)

/** By session: requests to an unknown path come again and again. */
const cache = new WeakMap<Settings, PathsOfSession>()

function cachedPaths(settings: Settings): PathsOfSession {
  const cached = cache.get(settings)
  if (cached) return cached
  const paths = pathsOfSession(settings)
  cache.set(settings, paths)
  return paths
}

/** The paths of a role in this session's dialect, served in this session or not. */
export const pathsAt = (host: Role, settings: Settings): readonly KnownPath[] =>
  cachedPaths(settings).byHost.get(host) ?? []

/** The first dialect in which a request is an operation of this host, other than the session's own. */
export const dialectOf = (
  host: Role,
  method: string,
  path: string,
  settings: Settings,
): string | undefined =>
  cachedPaths(settings).byDialect.find(({ paths }) =>
    paths.some(
      (each) => each.host === host && each.row.method === method && fitsTemplate(each.path, path),
    ),
  )?.name
