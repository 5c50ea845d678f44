/** Changed settings as one line: `counterparts.crm.temperament is slow`. */
import type { SettingChange } from '../engine/configured/setting-change.ts'

const maxValueLength = 60

/** A list of records is too long for a line. */
const isRecords = (value: unknown): value is readonly object[] =>
  Array.isArray(value) && value.some((each) => typeof each === 'object' && each !== null)

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

function changeText({ path, value }: SettingChange): string {
  const name = path.join('.')
  if (value === undefined) return `${name} has its default`
  if (isRecords(value))
    return `${name} has ${value.length} ${value.length === 1 ? 'entry' : 'entries'}`
  return `${name} is ${valueText(value)}`
}

export const settingChangesText = (changes: readonly SettingChange[]): string =>
  changes.map(changeText).join(', ')
