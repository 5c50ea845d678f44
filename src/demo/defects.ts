/**
 * The mistakes that the reference subject can be told to make, one at a time or several: each is a small branch where the
 * right code stands, marked `wrong('its-name')`.
 */
import { acting } from './defects/acting.ts'
import { calling } from './defects/calling.ts'
import type { Defect } from './defects/defect.ts'
import { hearing } from './defects/hearing.ts'

const table = { ...hearing, ...acting, ...calling } as const

export type DefectName = keyof typeof table

export const defects: Readonly<Record<DefectName, Defect>> = table

/** Whether this mistake is to be made. */
export type Wrong = (name: DefectName) => boolean

export const isDefectName = (name: string): name is DefectName => Object.hasOwn(defects, name)

export function wrongIn(names: Iterable<DefectName>): Wrong {
  const made: ReadonlySet<string> = new Set(names)
  return (name) => made.has(name)
}
