/** Where an operation stands at a host, in this session's dialect: under the base path, or at a whole path of its own. */
import { type Operation, pathsOf } from '../operation.ts'
import type { Role } from '../role.ts'
import { basePathOf } from './settings.ts'

export type Places = Parameters<typeof basePathOf>[0] & {
  readonly paths: Readonly<Record<string, string>>
  readonly colon: 'literal' | 'encoded'
}

/** Discovery and authentication stand at the root, whatever the capabilities have before them; so do webhooks. */
export const prefixOf = (
  { capability, webhook }: Pick<Operation, 'capability' | 'webhook'>,
  places: Places,
): string =>
  capability === 'discovery' || capability === 'auth' || webhook !== undefined
    ? ''
    : basePathOf(places)

/** The whole path of an operation that is served elsewhere than usual. */
export const ownPathOf = ({ id, webhook }: Pick<Operation, 'id' | 'webhook'>, { paths }: Places) =>
  webhook === undefined && Object.hasOwn(paths, id) ? paths[id] : undefined

/** Every path of an operation at a host. */
export function placesOf(row: Operation, host: Role, places: Places): readonly string[] {
  const own = ownPathOf(row, places)
  if (own !== undefined) return [own]
  const prefix = prefixOf(row, places)
  return pathsOf(row, host).map((path) => `${prefix}${path}`)
}
