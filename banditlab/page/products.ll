; Products of 128 bits, and PCG64, which is made of one. Linked after all optimising: LLVM takes four products of 64 bits for one of
; 128, and calls the first function here, also from within itself.

declare i64 @llvm.fshr.i64(i64, i64, i64)

define internal i64 @upper_word(i64 %a, i64 %b) {
  %a0 = and i64 %a, 4294967295
  %a1 = lshr i64 %a, 32
  %b0 = and i64 %b, 4294967295
  %b1 = lshr i64 %b, 32
  %low = mul i64 %a0, %b0
  %low1 = lshr i64 %low, 32
  %cross = mul i64 %a1, %b0
  %one = add i64 %cross, %low1
  %one0 = and i64 %one, 4294967295
  %one1 = lshr i64 %one, 32
  %other_cross = mul i64 %a0, %b1
  %other = add i64 %other_cross, %one0
  %other1 = lshr i64 %other, 32
  %top = mul i64 %a1, %b1
  %sum = add i64 %top, %one1
  %all = add i64 %sum, %other1
  ret i64 %all
}

define void @__multi3(ptr %out, i64 %a, i64 %ah, i64 %b, i64 %bh) {
  %low = mul i64 %a, %b
  %upper = call i64 @upper_word(i64 %a, i64 %b)
  %one = mul i64 %a, %bh
  %other = mul i64 %ah, %b
  %sum = add i64 %upper, %one
  %high = add i64 %sum, %other
  store i64 %low, ptr %out
  %high_at = getelementptr i64, ptr %out, i64 1
  store i64 %high, ptr %high_at
  ret void
}

define i64 @next_uint64(i64 %stream) {
  %state = inttoptr i64 %stream to ptr
  %high_at = getelementptr i64, ptr %state, i64 1
  %step_at = getelementptr i64, ptr %state, i64 2
  %step_high_at = getelementptr i64, ptr %state, i64 3
  %low = load i64, ptr %state
  %high = load i64, ptr %high_at
  %step = load i64, ptr %step_at
  %step_high = load i64, ptr %step_high_at
  %upper = call i64 @upper_word(i64 %low, i64 4865540595714422341)
  %one = mul i64 %low, 2549297995355413924
  %other = mul i64 %high, 4865540595714422341
  %product = mul i64 %low, 4865540595714422341
  %new = add i64 %product, %step
  %over = icmp ult i64 %new, %product
  %carry = zext i1 %over to i64
  %sum = add i64 %upper, %one
  %sum2 = add i64 %sum, %other
  %sum3 = add i64 %sum2, %step_high
  %new_high = add i64 %sum3, %carry
  store i64 %new, ptr %state
  store i64 %new_high, ptr %high_at
  %mixed = xor i64 %new_high, %new
  %turn = lshr i64 %new_high, 58
  %word = call i64 @llvm.fshr.i64(i64 %mixed, i64 %mixed, i64 %turn)
  ret i64 %word
}
