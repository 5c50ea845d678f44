/**
 * The defects that can be switched on in the reference subject, singly or together. Each is a small branch beside the
 * correct code, marked `wrong('its-name')`.
 */
import { acting } from './defects/acting.ts'
import { calling } from './defects/calling.ts'
import type { Defect } from './defects/defect.ts'
import { hearing } from './defects/hearing.ts'

const table = { ...hearing, ...acting, ...calling } as const

export type DefectName = keyof typeof table

export const defects: Readonly<Record<DefectName, Defect>> = table

/** Whether a defect is switched on. */
export type Wrong = (name: DefectName) => boolean

export const isDefectName = (name: string): name is DefectName => Object.hasOwn(defects, name)

export function wrongIn(names: Iterable<DefectName>): Wrong {
  const made: ReadonlySet<string> = new Set(names)
  return (name) => made.has(name)
}
