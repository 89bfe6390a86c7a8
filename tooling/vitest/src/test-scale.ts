const { HR_TEST_SCALE = '1' } = process.env;

/** How many times as often as usual tests repeat what they make up at random and what they kill. */
export const testScale = Number(HR_TEST_SCALE);

if (!(testScale > 0)) throw new Error(`HR_TEST_SCALE is "${HR_TEST_SCALE}". Set it to a number above 0, or unset it.`);
