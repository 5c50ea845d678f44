/** Changed settings as one line: `counterparts.crm.temperament is slow`. */
import type { SettingChange } from '../engine/configured/setting-change.ts'

const maxValueLength = 60

function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text
}

export const settingChangesText = (changes: readonly SettingChange[]): string =>
  changes
    .map(({ path, value }) =>
      value === undefined
        ? `${path.join('.')} has its default`
        : `${path.join('.')} is ${valueText(value)}`,
    )
    .join(', ')
