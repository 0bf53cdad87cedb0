// Written by JSON/generate-tables.py from the tables beside it.

/// The tables of parametric stereo (ISO/IEC 14496-3, 8.4 to 8.6.4).
enum StereoTables {
  /// The ratios of left to right for level differences −7…7, then fine ones −15…15 (14496-3, 8.6.4.6.2).
  // swift-format-ignore
  static let levelRatios: [Float] = [
    0.056234132519, 0.125892541179, 0.199526231497, 0.316227766017, 0.446683592151, 0.63095734448,
    0.794328234724, 1.0, 1.25892541179, 1.58489319246, 2.23872113857, 3.16227766017, 5.01187233627,
    7.94328234724, 17.7827941004, 0.00316227766017, 0.0056234132519, 0.01, 0.0177827941004,
    0.0316227766017, 0.056234132519, 0.0794328234724, 0.11220184543, 0.158489319246, 0.223872113857,
    0.316227766017, 0.398107170553, 0.501187233627, 0.63095734448, 0.794328234724, 1.0,
    1.25892541179, 1.58489319246, 1.99526231497, 2.51188643151, 3.16227766017, 4.46683592151,
    6.3095734448, 8.91250938134, 12.5892541179, 17.7827941004, 31.6227766017, 56.234132519, 100.0,
    177.827941004, 316.227766017,
  ]

  /// The correlations of left and right, by index (14496-3, 8.6.4.6.2).
  // swift-format-ignore
  static let coherences: [Float] = [
    1.0, 0.937, 0.84118, 0.60092, 0.36764, 0.0, -0.589, -1.0,
  ]

  /// The arc cosines of `coherences` in radians.
  // swift-format-ignore
  static let coherenceAngles: [Float] = [
    0.0, 0.3568552743, 0.5713346604, 0.9261447214, 1.1943263043, 1.5707963268, 2.2006171887,
    3.1415926536,
  ]

  /// Taps 0…6 of the 13 taps of the filter that splits band 0 into eight bands, reduced to six, for 20 bands.
  // swift-format-ignore
  static let eightOfTwenty: [Float] = [
    0.00746082949812, 0.02270420949825, 0.04546865930473, 0.07266113929591, 0.09885108575264,
    0.11793710567217, 0.125,
  ]

  /// Taps 0…6 of the 13 taps of the filter that splits bands 1 and 2 into two bands each, for 20 bands.
  // swift-format-ignore
  static let twoOfTwenty: [Float] = [
    0.0, 0.01899487526049, 0.0, -0.07293139167538, 0.0, 0.30596630545168, 0.5,
  ]

  /// Taps 0…6 of the 13 taps of the filter that splits band 0 into twelve bands, for 34 bands.
  // swift-format-ignore
  static let twelveOfThirtyFour: [Float] = [
    0.04081179924692, 0.03812810994926, 0.05144908135699, 0.06399831151592, 0.07428313801106,
    0.08100347892914, 0.08333333333333,
  ]

  /// Taps 0…6 of the 13 taps of the filter that splits band 1 into eight bands, for 34 bands.
  // swift-format-ignore
  static let eightOfThirtyFour: [Float] = [
    0.01565675600122, 0.03752716391991, 0.05417891378782, 0.08417044116767, 0.10307344158036,
    0.12222452249753, 0.125,
  ]

  /// Taps 0…6 of the 13 taps of the filter that splits bands 2 to 4 into four bands each, for 34 bands.
  // swift-format-ignore
  static let fourOfThirtyFour: [Float] = [
    -0.05908211155639, -0.04871498374946, 0.0, 0.07778723915851, 0.16486303567403, 0.23279856662996,
    0.25,
  ]

  /// For each of 34 bands, the first of the two of 20 bands whose mean it is.
  // swift-format-ignore
  static let firstOfTwenty: [UInt8] = [
    0, 0, 1, 2, 2, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 9, 10, 11, 12, 13, 14, 14, 15, 15, 16, 16, 17, 17,
    18, 18, 18, 18, 19, 19,
  ]

  /// For each of 34 bands, the second of the two of 20 bands whose mean it is.
  // swift-format-ignore
  static let secondOfTwenty: [UInt8] = [
    0, 1, 1, 2, 3, 3, 4, 4, 5, 5, 6, 7, 8, 8, 9, 9, 10, 11, 12, 13, 14, 14, 15, 15, 16, 16, 17, 17,
    18, 18, 18, 18, 19, 19,
  ]

  /// For each sub-subband, the one of 20 bands that contains it (14496-3, 8.6.4.3).
  // swift-format-ignore
  static let bandsOfTwenty: [UInt8] = [
    1, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 14, 15, 15, 15, 16, 16, 16, 16, 17, 17,
    17, 17, 17, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 18, 19, 19, 19, 19, 19, 19, 19, 19, 19,
    19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 19,
  ]

  /// For each sub-subband, the one of 34 bands that contains it (14496-3, 8.6.4.3).
  // swift-format-ignore
  static let bandsOfThirtyFour: [UInt8] = [
    0, 1, 2, 3, 4, 5, 6, 6, 7, 2, 1, 0, 10, 10, 4, 5, 6, 7, 8, 9, 10, 11, 12, 9, 14, 11, 12, 13, 14,
    15, 16, 13, 16, 17, 18, 19, 20, 21, 22, 22, 23, 23, 24, 24, 25, 25, 26, 26, 27, 27, 27, 28, 28,
    28, 29, 29, 29, 30, 30, 30, 31, 31, 31, 31, 32, 32, 32, 32, 33, 33, 33, 33, 33, 33, 33, 33, 33,
    33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33, 33,
  ]

  /// The centers of the first sub-subbands for 20 bands, in eighths of a QMF band.
  // swift-format-ignore
  static let centersOfTwenty: [Int8] = [
    -3, -1, 1, 3, 5, 7, 10, 14, 18, 22,
  ]

  /// The centers of the first sub-subbands for 34 bands, in 24ths of a QMF band.
  // swift-format-ignore
  static let centersOfThirtyFour: [Int8] = [
    2, 6, 10, 14, 18, 22, 26, 30, 34, -10, -6, -2, 51, 57, 15, 21, 27, 33, 39, 45, 54, 66, 78, 42,
    102, 66, 78, 90, 102, 114, 126, 90,
  ]

  /// The sub-subband in each lane for 20 bands; 255 marks an unused lane.
  // swift-format-ignore
  static let lanesOfTwenty: [UInt8] = [
    0, 1, 2, 3, 4, 5, 10, 255, 6, 7, 8, 9, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24,
    25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,
    49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70,
  ]

  /// The sub-subband in each lane for 34 bands; 255 marks an unused lane.
  // swift-format-ignore
  static let lanesOfThirtyFour: [UInt8] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25,
    26, 27, 28, 29, 30, 31, 32, 33, 34, 255, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 45, 46, 47, 48,
    49, 50, 51, 52, 53, 54, 55, 56, 57, 58, 59, 60, 61, 62, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72,
    73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 85, 86, 87, 88, 89, 90,
  ]

  /// The borders between the absolute values of the 15 levels, in decibels.
  // swift-format-ignore
  static let levelBorders: [Float] = [
    1.0, 3.0, 5.5, 8.5, 12.0, 16.0, 21.5,
  ]

  /// The borders between the absolute values of the 31 fine levels, in decibels.
  // swift-format-ignore
  static let fineLevelBorders: [Float] = [
    1.0, 3.0, 5.0, 7.0, 9.0, 11.5, 14.5, 17.5, 20.5, 23.5, 27.5, 32.5, 37.5, 42.5, 47.5,
  ]

  /// The borders between the coherences, as correlations in descending order.
  // swift-format-ignore
  static let coherenceBorders: [Float] = [
    0.98425, 0.894531, 0.734646, 0.490962, 0.194305, -0.277528, -0.788597,
  ]
}
