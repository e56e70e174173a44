@0xe3a1dd0a4cf1b0c2;

enum Color {
  red @0;
  green @1;
  blue @2;
}

struct Point {
  x @0 :Float64;
  label @1 :Text;
  visible @2 :Bool;
}

struct Empty {}

struct Shape {
  union {
    point @0 :Point;
    radius @1 :Int32;
    area @2 :Int64;
    flag @3 :Bool;
    points @4 :List(Point);
  }
}

struct MaybeInt {
  value :union { none @0 :Void; value @1 :Int32; }
}

struct MaybeText {
  value @0 :Text;
}

struct MaybeShape {
  union {
    none @0 :Void;
    point @1 :Point;
    radius @2 :Int32;
    area @3 :Int64;
    flag @4 :Bool;
    points @5 :List(Point);
  }
}

struct IntByName {
  key @0 :Text;
  value @1 :Int32;
}

struct PointByNumber {
  key @0 :Int64;
  value @1 :Point;
}

struct MaybeByFlag {
  key @0 :Bool;
  value :union { none @1 :Void; value @2 :UInt8; }
}

struct ShapeByName {
  key @0 :Text;
  value @1 :Shape;
}

struct TextByName {
  key @0 :Text;
  value @1 :Text;
}

struct Root {
  boolTrue @0 :Bool;
  int8 @1 :Int8;
  int16 @2 :Int16;
  int32 @3 :Int32;
  int64 @4 :Int64;
  uint8 @5 :UInt8;
  uint16 @6 :UInt16;
  uint32 @7 :UInt32;
  uint64 @8 :UInt64;
  float32 @9 :Float32;
  float64 @10 :Float64;
  text @11 :Text;
  data @12 :Data;
  fixed @13 :Data;
  color @14 :Color;
  maybeInt :union { none @15 :Void; value @16 :Int32; }
  maybeFlag :union { none @17 :Void; value @18 :Bool; }
  maybeColor :union { none @19 :Void; value @20 :Color; }
  maybeText @21 :Text;
  maybePoint @22 :Point;
  maybeList @23 :List(Int8);
  maybeNothing :union { none @24 :Void; value @25 :Void; }
  nothing @26 :Void;
  shape :union {
    point @27 :Point;
    radius @28 :Int32;
    area @29 :Int64;
    flag @30 :Bool;
    points @31 :List(Point);
  }
  maybeShape :union {
    none @32 :Void;
    point @33 :Point;
    radius @34 :Int32;
    area @35 :Int64;
    flag @36 :Bool;
    points @37 :List(Point);
  }
  lone :group { only @38 :Int16; }
  bools @39 :List(Bool);
  shorts @40 :List(Int16);
  doubles @41 :List(Float64);
  colors @42 :List(Color);
  texts @43 :List(Text);
  points @44 :List(Point);
  nested @45 :List(List(Text));
  nulls @46 :List(Void);
  empties @47 :List(Empty);
  maybeInts @48 :List(MaybeInt);
  maybeTexts @49 :List(MaybeText);
  shapes @50 :List(Shape);
  maybeShapes @51 :List(MaybeShape);
  emptyList @52 :List(Point);
  byName @53 :List(IntByName);
  byNumber @54 :List(PointByNumber);
  byFlag @55 :List(MaybeByFlag);
  shapeByName @56 :List(ShapeByName);
  emptyMap @57 :List(TextByName);
  any @58 :Text;
  maybeAny @59 :Text;
  empty @60 :Empty;
  next @61 :Point;
}
