/** The places at which two JSON documents differ, as JSONPaths that set the one to the other. */
import { isJsonContainer } from '../json/lossless-json.ts'
import type { UnknownRecord } from '../../protocol/unknown-record.ts'

export interface DifferingPlace {
  readonly at: string
  /** The new value as JSON; absent when the place is gone. */
  readonly value?: string
}

/** The segment of a member name (RFC 9535): the shorthand, where it can be one. */
const memberSegment = (name: string): string =>
  /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`

const isObject = (value: unknown): value is UnknownRecord =>
  isJsonContainer(value) && !Array.isArray(value)

/** Both as `parseLosslessJson` reads them. */
export function differingPlaces(
  before: unknown,
  after: unknown,
  at = '$',
): readonly DifferingPlace[] {
  if (isObject(before) && isObject(after)) {
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(after, name))
    return [
      ...gone.map((name) => ({ at: at + memberSegment(name) })),
      ...Object.entries(after).flatMap(([name, value]) => {
        const place = at + memberSegment(name)
        return Object.hasOwn(before, name)
          ? differingPlaces(before[name], value, place)
          : [{ at: place, value: JSON.stringify(value) }]
      }),
    ]
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length)
    return after.flatMap((value, index) => differingPlaces(before[index], value, `${at}[${index}]`))
  const [old, next] = [JSON.stringify(before), JSON.stringify(after)]
  return old === next ? [] : [{ at, value: next }]
}
