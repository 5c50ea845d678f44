/** Single-quoted: nothing inside is special to a POSIX shell. */
export const shellQuoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`
