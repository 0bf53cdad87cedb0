// Text that comes from elsewhere, made fit to be shown.

// What is not seen itself, or turns the direction of writing, can make one name look like another.
// Selectors of variants are not among it, since they change what is seen, nor are joiners between
// pictures, which make one picture of two.
const picture = String.raw`[\p{Extended_Pictographic}\p{Emoji_Modifier}]`
const joiner = String.raw`(?<=${picture}\p{Variation_Selector}*)\u200d(?=${picture})`
const deceptive = new RegExp(
  String.raw`(?!\p{Variation_Selector}|${joiner})\p{Default_Ignorable_Code_Point}`, 'gu')

/** The text with its unseen characters written out, as the command does it: `\x202e`. */
export function visible(text) {
  return text.replace(deceptive, letter => `\\x${letter.codePointAt(0).toString(16)}`)
}

/** The text without its unseen characters. */
export function withoutUnseen(text) {
  return text.replace(deceptive, '')
}
