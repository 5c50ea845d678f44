/**
 * Normalises typography: look-alike letters, digits, spaces and dashes become ASCII, invisible characters are
 * dropped.
 */

/** Full-width letters and digits, and the spaces, dashes and invisible characters of copied numbers. */
const unusualCharacters =
  /[\u00A0\u00AD\u2007\u200B-\u2015\u202A-\u202F\u2060-\u2069\u2212\uFF01-\uFF5E]/
const unusualRuns =
  /[\u00AD\u200B-\u200F\u202A-\u202E\u2060-\u2069]+|[\u00A0\u2007\u202F]|[\u2010-\u2015\u2212]|[\uFF01-\uFF5E]/g

function normaliseRun(run: string): string {
  const code = run.charCodeAt(0)
  if (code >= 0xff01 && code <= 0xff5e) return String.fromCharCode(code - 0xfee0)
  if (code === 0xa0 || code === 0x2007 || code === 0x202f) return ' '
  return (code >= 0x2010 && code <= 0x2015) || code === 0x2212 ? '-' : ''
}

export const hasUnusualTypography = (text: string): boolean => unusualCharacters.test(text)

export const normaliseTypography = (text: string): string =>
  hasUnusualTypography(text) ? text.replaceAll(unusualRuns, normaliseRun) : text
