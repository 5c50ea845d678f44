/**
 * The defects that can be switched on in the reference subject, singly or together. Each is a small branch beside the
 * correct code, marked `wrong('its-name')`.
 */
import { orderDefects } from './orders.ts'
import { callDefects } from './calls.ts'
import type { Defect } from './defect.ts'
import { eventDefects } from './events.ts'
import { documentDefects } from './odd-documents.ts'

const table = { ...eventDefects, ...orderDefects, ...documentDefects, ...callDefects } as const

export type DefectName = keyof typeof table

export const defects: Readonly<Record<DefectName, Defect>> = table

/** Whether a defect is switched on. */
export type DefectSwitch = (name: DefectName) => boolean

export const isDefectName = (name: string): name is DefectName => Object.hasOwn(defects, name)

export function createDefectSwitch(names: Iterable<DefectName>): DefectSwitch {
  const made: ReadonlySet<string> = new Set(names)
  return (name) => made.has(name)
}
