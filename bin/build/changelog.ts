/** The sections of CHANGELOG.md, newest first. */
export interface ChangelogSection {
  readonly version: string
  /** As written behind the version: a date such as `2026-11-26`, or `Unreleased`. */
  readonly date: string
  /** The text below the heading, without blank lines around it. */
  readonly text: string
}

export function changelogSections(changelog: string): readonly ChangelogSection[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .flatMap((section) => {
      const [, version = '', date = '', text = ''] =
        /^\[(\d+\.\d+\.\d+[^\]]*)\] - (\S+)\n([^]*)$/.exec(section) ?? []
      return version === '' ? [] : [{ version, date, text: text.trim() }]
    })
}
